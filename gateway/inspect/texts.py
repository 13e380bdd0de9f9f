"""SQL, paths and addresses, read and compared with patterns and the guard."""

from __future__ import annotations

from gateway.inspect.classes import PROTECTED, Classes
from gateway.inspect.clued import Clued
from gateway.inspect.command import Found, Remark, bare
from gateway.inspect.deed import Deed, Does
from gateway.inspect.guard import Access, Guard
from gateway.inspect.inspection import Inspection
from gateway.inspect.judging import Judging
from gateway.inspect.kind import Kind
from gateway.inspect.path.trait import PathTrait
from gateway.inspect.place import PathClass, Place
from gateway.inspect.sql.kinds import SqlKind

_OUT = frozenset((PathClass.ROOT, PathClass.HOME, PathClass.SYSTEM, PathClass.OUTSIDE, PathClass.UNKNOWN))


class Texts:
    """Judges texts against patterns and the guard; it never raises, whatever the text."""

    def __init__(self, patterns: Clued, guard: Guard) -> None:
        self._guard = guard
        self._patterns = patterns

    def sql(self, text: str, dialect: str | None, place: Place) -> Inspection:
        """What SQL statements would do."""
        from gateway.inspect.sql.read import statements

        judging = Judging(self._patterns, self._guard, place, text)
        found = tuple(Found(each, each.start, each.end) for each in statements(text, dialect))
        judging.commands([bare(Kind.SQL, None, sql=found)])
        unreadable = any(each.statement.kind is SqlKind.UNREADABLE for each in found)
        return judging.inspection("unparsed" if unreadable else "exact", source=(text, dialect))

    def path(self, text: str, place: Place, access: Access) -> Inspection:
        """What reading or writing a path would touch."""
        from gateway.inspect.path.read import read_path

        reading = read_path(text, place)
        # A path is no command: only what is written for paths is held against one.
        judging = Judging(self._patterns.of_paths, self._guard, place, text)
        whole = (0, len(text))
        remarks = [
            Remark(each.trait.value, text[each.start : each.end], each.reason, each.start, each.end)
            for each in reading.remarks
        ]
        where = reading.location.value
        if not place.roots:
            # A session without a workspace has no outside.
            remarks = [remark for remark in remarks if remark.kind != PathTrait.TRAVERSAL.value]
        elif reading.outside is not None:
            remarks.append(Remark(where, text, reading.outside, *whole))
        elif reading.location not in _OUT:
            remarks.append(Remark(where, text, "", *whole))
        if PROTECTED in Classes(place).of(reading.path, None):
            remarks.append(Remark(PROTECTED, text, "", *whole))
        does = Does.READ if access is Access.READ else Does.OVERWRITE
        deed = Deed(does, reading.path, *whole)
        judging.commands([bare(Kind.PATH, None, (deed,), remarks=tuple(remarks), place=whole)])
        return judging.inspection("exact" if reading.location is not PathClass.UNKNOWN else "partial")

    def url(self, text: str, place: Place) -> Inspection:
        """What fetching an address would reach."""
        from gateway.inspect.url.url import read_url

        judging = Judging(self._patterns, self._guard, place, text)
        remarks = tuple(
            Remark(each.kind.value, text[each.start : each.end], each.reason, each.start, each.end)
            for each in read_url(text).remarks
        )
        judging.commands([bare(Kind.URL, None, remarks=remarks, place=(0, len(text)))])
        return judging.inspection("exact", source=(text, None))
