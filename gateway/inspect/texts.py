"""SQL, paths and addresses, read and compared with patterns."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gateway.inspect.classes import PROTECTED, Classes
from gateway.inspect.clued import Clued
from gateway.inspect.command import Found, Remark, bare
from gateway.inspect.deed import Deed, Does
from gateway.inspect.guard import Access
from gateway.inspect.inspection import Inspection
from gateway.inspect.judging import Judging
from gateway.inspect.kind import Kind
from gateway.inspect.place import PathClass, Place
from gateway.inspect.sql.kinds import SqlKind

if TYPE_CHECKING:
    from gateway.inspect.url.pinned import Lookup

_OUT = frozenset((PathClass.ROOT, PathClass.HOME, PathClass.SYSTEM, PathClass.OUTSIDE, PathClass.UNKNOWN))


class Texts:
    """Judges texts against patterns; it never raises, whatever the text."""

    def __init__(self, patterns: Clued) -> None:
        self._patterns = patterns

    def sql(self, text: str, dialect: str | None, place: Place) -> Inspection:
        """What SQL statements would do."""
        from gateway.inspect.sql.read import statements

        judging = Judging(self._patterns, None, place, text)
        found = tuple(Found(each, each.start, each.end) for each in statements(text, dialect))
        judging.commands([bare(Kind.SQL, None, sql=found)])
        unreadable = any(each.statement.kind is SqlKind.UNREADABLE for each in found)
        return judging.inspection("unparsed" if unreadable else "exact", source=(text, dialect))

    def path(self, text: str, place: Place, access: Access) -> Inspection:
        """What reading or writing a path would touch."""
        from gateway.inspect.path.read import read_path
        from gateway.inspect.unnamed import assumed

        place = assumed(place)
        reading = read_path(text, place)
        # A path is no command: only what is written for paths is held against one.
        judging = Judging(self._patterns.of_paths, None, place, text)
        whole = (0, len(text))
        remarks = [
            Remark(each.trait.value, text[each.start : each.end], each.reason, each.start, each.end)
            for each in reading.remarks
        ]
        where = reading.location.value
        if reading.outside is not None:
            remarks.append(Remark(where, text, reading.outside, *whole))
        elif reading.location not in _OUT:
            remarks.append(Remark(where, text, "", *whole))
        # Where it is not known in which of the roots a path begins, it may be in each.
        starts = (None,) if place.cwd is not None or reading.path.startswith("/") else place.roots
        classes = Classes(place)
        if any(PROTECTED in classes.of(reading.path, start) for start in starts):
            remarks.append(Remark(PROTECTED, text, "", *whole))
        does = Does.READ if access is Access.READ else Does.OVERWRITE
        deed = Deed(does, reading.path, *whole)
        judging.commands([bare(Kind.PATH, None, (deed,), remarks=tuple(remarks), place=whole)])
        return judging.inspection("exact" if reading.location is not PathClass.UNKNOWN else "partial")

    def url(self, text: str, place: Place, lookup: Lookup | None) -> Inspection:
        """What fetching an address would reach; with a lookup, whatever its host leads to is checked as well."""
        from gateway.inspect.url.url import read_url

        judging = Judging(self._patterns, None, place, text)
        url = read_url(text)
        remarks = [
            Remark(each.kind.value, text[each.start : each.end], each.reason, each.start, each.end)
            for each in url.remarks
        ]
        addresses: tuple[str, ...] = ()
        if lookup is not None and url.host:
            from gateway.inspect.url.pinned import led, pinned

            addresses = pinned(url, lookup)
            remarks += led(url, addresses, text)
        judging.commands([bare(Kind.URL, None, remarks=tuple(remarks), place=(0, len(text)))])
        found = judging.inspection("exact", source=(text, None))
        # Where no address is known there is none that the tool may connect to, whoever lets the call run.
        return found if lookup is None or not url.host else replace(found, pinned=((url.host, addresses),))

    def headers(self, text: str, place: Place) -> Inspection:
        """What a header, its name alone or with its value, would say."""
        from gateway.inspect.headers import header_kind

        judging = Judging(self._patterns, None, place, text)
        kind = header_kind(text)
        remarks = () if kind is None else (Remark(kind.value, text, "", 0, len(text)),)
        judging.commands([bare(Kind.HEADERS, None, remarks=remarks, place=(0, len(text)))])
        return judging.inspection("exact")
