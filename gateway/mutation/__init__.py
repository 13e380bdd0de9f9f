"""Which changes of a policy its cases would not notice.

Each mutant is the compiled policy with one part of it changed: nothing is read or compiled again but that part.
"""

from gateway.mutation.mutant import Mutant
from gateway.mutation.mutants import mutants
from gateway.mutation.run import Survivor, Survivors, survivors

__all__ = ["Mutant", "Survivor", "Survivors", "mutants", "survivors"]
