"""A process of its own that records until it is killed: each number is printed when its record is acknowledged.

python -m tests.recording.writer LOG WHO SIZE COUNT
"""

from __future__ import annotations

import os
import sys

from gateway.record import Record, RecordKind
from gateway.recorders.file import FileRecorder


def main() -> None:
    """Record as often as asked."""
    path, who, size, count = sys.argv[1:]
    recorder = FileRecorder(path, size=int(size), keep=1000)
    os.write(1, b"ready\n")
    sys.stdin.readline()
    for number in range(int(count)):
        name = f"{who}-{number}"
        recorder.record(Record(RecordKind.DECISION, 0, id=name, arguments={"text": "x" * (number % 7 * 300)}))
        os.write(1, f"{name}\n".encode())


if __name__ == "__main__":
    main()
