"""URLs: whatever reads them must come to the same host, and that host must be one of the public web."""

from __future__ import annotations

import contextlib
import socket
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.inspect.url.address import kinds_of
from gateway.inspect.url.kind import UrlKind
from gateway.inspect.url.url import read_url, resolved_kinds
from tests.lists import read_list

INTERNAL_V4 = ("127.0.0.0", "10.0.0.0", "169.254.0.0", "192.168.0.0", "100.64.0.0", "224.0.0.0", "240.0.0.0")


def cases() -> list[object]:
    groups = read_list("inspect/urls.yaml")
    return [pytest.param(url, set(g["kinds"]), id=ascii(url)) for g in groups for url in g["urls"]]


@pytest.mark.parametrize(("text", "kinds"), cases())
def test_kinds(text: str, kinds: set[str]) -> None:  # D2
    assert {kind.value for kind in read_url(text).kinds} == kinds


@pytest.mark.parametrize(
    ("text", "scheme", "host", "port", "address", "path"),
    [
        ("HTTPS://EXAMPLE.com./a?b#c", "https", "example.com", 443, None, "/a"),
        ("http://bücher.example:8080", "http", "xn--bcher-kva.example", 8080, None, ""),
        ("http://0x7f.1/x", "http", "127.0.0.1", 80, IPv4Address("127.0.0.1"), "/x"),
        ("http://[::ffff:a00:1]/", "http", "::ffff:a00:1", 80, IPv6Address("::ffff:a00:1"), "/"),
        ("localhost:3000/x", "", "localhost", 3000, None, "/x"),
        ("file:///etc/passwd", "file", "", None, None, "/etc/passwd"),
        ("http://010.0.0.1/", "http", "010.0.0.1", 80, None, "/"),
    ],
)
def test_parts(text: str, scheme: str, host: str, port: int | None, address: object, path: str) -> None:
    url = read_url(text)
    assert (url.scheme, url.host, url.port, url.address, url.path) == (scheme, host, port, address, path)


@pytest.mark.parametrize(
    ("text", "kind", "part", "reason"),
    [
        ("https://example.com@10.0.0.1/x", UrlKind.PRIVATE, "10.0.0.1", "10.0.0.1 is a private network"),
        ("https://a.example@evil.example", UrlKind.HIDDEN_HOST, "a.example@", "the host is `evil.example`"),
        ("https://x.org/go?to=http://[::1]/&a=b", UrlKind.REDIRECT, "http://[::1]/", "go on to `::1`"),
        ("https://x.org/?a=b&password=hunter2", UrlKind.EXFILTRATION, "hunter2", "`password` is the name"),
        ("gopher://example.com/", UrlKind.SCHEME, "gopher", "neither http nor https"),
        ("http://example.com:22/", UrlKind.PORT, ":22", "port 22"),
        (" http://0x7f.1/", UrlKind.ODD_ADDRESS, "0x7f.1", "another spelling of 127.0.0.1"),
        ("http://ex\u200bample.com/", UrlKind.CONTROLS, "ex\u200bample.com", "not seen"),
    ],
)
def test_remarks_say_what_and_where(text: str, kind: UrlKind, part: str, reason: str) -> None:
    remark = read_url(text).remark(kind)
    assert remark is not None
    assert text[remark.start : remark.end] == part
    assert reason in remark.reason


@given(st.text() | st.text(alphabet="htp:/\\@#?[]%.0127x locahst\u3002\uff11-;&=", max_size=40))
def test_every_text_is_answered(text: str) -> None:
    for written in (text, "http://" + text, "http://a.example/?u=" + text):
        url = read_url(written)
        assert url.kinds == {remark.kind for remark in url.remarks}
        assert all(0 <= remark.start <= remark.end <= len(written) for remark in url.remarks)


PIECES = st.sampled_from(
    ["/", "\\", "@", "#", "?", "[", "]", ":", ".", "127.0.0.1", "localhost", "example.com", "10.0.0.1", "0x7f", "1",
     "%2e", "%40", "%2f", "%00", "&", ";", "=", " ", "\t", "80", "::1", "\u3002", "\uff0f", "\u2460", "\u017f", "\u212a",
     "\xdf", "-", "_", "xn--", "*", "\u200b", "\xe9", "\u0663", "//", "2130706433", "017700000001", "0", ".."],
)  # fmt: skip


@given(
    st.sampled_from(["http://", "https:", "HTTP://", "http:\\\\"]), st.lists(PIECES, min_size=1, max_size=8)
)
def test_what_passes_is_read_alike_elsewhere(scheme: str, pieces: list[str]) -> None:
    text = scheme + "".join(pieces)
    url = read_url(text)
    if url.kinds:
        return
    host = (urlsplit(text.strip(" \t\r\n")).hostname or "").rstrip(".")
    ascii_host = host.encode("idna").decode() if not host.isascii() and "\xdf" not in host else host
    assert url.host in (host, ascii_host) or "\xdf" in host
    with contextlib.suppress(OSError, UnicodeError):
        address = socket.inet_ntoa(socket.inet_aton(ascii_host))
        assert str(url.address) == address
        assert resolved_kinds([address]) == frozenset()


def test_a_url_that_is_too_long_is_not_read_in_silence() -> None:
    assert UrlKind.UNREADABLE in read_url("https://example.com/" + "a" * 20_000).kinds


@st.composite
def spellings(draw: st.DrawFn, address: IPv4Address) -> str:
    """An IPv4 address as `inet_aton` reads it, in any base, with any number of parts."""
    count = draw(st.integers(1, 4))
    numbers = [address.packed[i] for i in range(count - 1)]
    numbers.append(int(address) & ((1 << 8 * (5 - count)) - 1))
    forms = [f"{{:{form}}}" for form in draw(st.lists(st.sampled_from("dox"), min_size=4, max_size=4))]
    parts = [form.format(number) for form, number in zip(forms, numbers, strict=False)]
    zeros = draw(st.integers(0, 3))
    prefixes = {
        "{:o}": "0" * (zeros + 1),
        "{:x}": draw(st.sampled_from(["0x", "0X"])) + "0" * zeros,
        "{:d}": "",
    }
    return ".".join(prefixes[form] + part for form, part in zip(forms, parts, strict=False))


@st.composite
def disguises(draw: st.DrawFn, host: str) -> str:
    """A host with characters encoded, widened or with a dot behind, behind a user name, in front of a port."""
    if draw(st.booleans()):
        at = draw(st.integers(0, len(host) - 1))
        host = host[:at] + f"%{ord(host[at]):02x}" + host[at + 1 :]
    elif draw(st.booleans()):
        host = host.translate({code: code + 0xFEE0 for code in range(ord("0"), ord("9") + 1)})
    elif draw(st.booleans()):
        host = host.replace(".", draw(st.sampled_from("\u3002\uff0e\uff61")))
    host += draw(st.sampled_from(["", "."]))
    before = draw(
        st.sampled_from(
            ["http://", "HTTPS://", "http:\\\\", "http:/", "//", "", "http://a@", "http://b.c:80@"]
        )
    )
    behind = draw(st.sampled_from(["", "/", ":8080", ":80/x", "?x", "#x", "/x@y.example"]))
    return before + host + behind


def in_network(network: str) -> st.SearchStrategy[IPv4Address]:
    return st.integers(0, 0xFFFF).map(lambda low: IPv4Address(network) + low)


@given(st.data())
def test_every_spelling_of_an_address_is_known(data: st.DataObject) -> None:
    network = data.draw(st.sampled_from(INTERNAL_V4))
    address = data.draw(in_network(network))
    text = data.draw(disguises(data.draw(spellings(address))))
    assert kinds_of(address)
    assert kinds_of(address) <= read_url(text).kinds


@given(st.data())
def test_every_spelling_of_a_name_is_known(data: st.DataObject) -> None:
    name, kind = data.draw(
        st.sampled_from(
            [
                ("localhost", UrlKind.LOOPBACK),
                ("a.b.LOCALHOST", UrlKind.LOOPBACK),
                ("metadata.google.internal", UrlKind.METADATA),
                ("db.internal", UrlKind.LOCAL_NAME),
                ("10.0.0.1.nip.io", UrlKind.REBINDING),
            ]
        )
    )
    assert kind in read_url(data.draw(disguises(name))).kinds


@pytest.mark.parametrize(
    "form", ["::ffff:{v4}", "::{v4}", "::ffff:0:{v4}", "64:ff9b::{v4}", "64:ff9b:1::{v4}", "2002:{hex}::1",
             "2001:0:{hex}::1", "fe80::5efe:{v4}", "2001:470:1:2:200:5efe:{v4}", "2001:0:808:808::{flipped}"],
)  # fmt: skip
@given(st.data())
def test_addresses_inside_of_addresses(form: str, data: st.DataObject) -> None:
    address = data.draw(in_network(data.draw(st.sampled_from(INTERNAL_V4))))
    both = [f"{value >> 16:x}:{value & 0xFFFF:x}" for value in (int(address), int(address) ^ 0xFFFFFFFF)]
    text = form.format(v4=address, hex=both[0], flipped=both[1])
    assert kinds_of(address) | {UrlKind.EMBEDDED} <= read_url(f"http://[{text}]/").kinds
    assert kinds_of(address) <= resolved_kinds([text])


@given(st.ip_addresses())
def test_an_address_of_the_internet_is_of_no_kind(address: IPv4Address | IPv6Address) -> None:
    shown = f"[{address}]" if address.version == 6 else str(address)
    found = read_url(f"https://{shown}/").kinds
    assert found == kinds_of(address) == resolved_kinds([str(address)])
    if address.is_global and not address.is_multicast and address.version == 4:
        # 192.88.99.0/24 was that of relays for 6to4, 168.63.129.16 is Azure's, both are global by the registry.
        assert not found or found <= {UrlKind.RESERVED, UrlKind.METADATA}
    if not address.is_global:
        assert found


@given(st.lists(st.ip_addresses().map(str)))
def test_one_address_of_a_name_is_enough(addresses: list[str]) -> None:
    for bad, kind in (("127.0.0.1", UrlKind.LOOPBACK), ("fd00:ec2::254", UrlKind.METADATA)):
        assert kind in resolved_kinds([*addresses, bad])
    assert UrlKind.UNRESOLVED not in resolved_kinds([*addresses, "8.8.8.8"])


def test_what_is_not_resolved_is_said() -> None:
    assert resolved_kinds([]) == {UrlKind.UNRESOLVED}
    assert resolved_kinds(["8.8.8.8", "x"]) == {UrlKind.UNRESOLVED}
    assert resolved_kinds(["8.8.8.8", "2606:4700:4700::1111"]) == frozenset()
    assert resolved_kinds(["fe80::1%eth0"]) == {UrlKind.LINK_LOCAL, UrlKind.ZONE}


@pytest.mark.parametrize(
    "part", ["a.", "@", "[", "%25", "?a=http://[::1]&", "/a://", "$(", "_KEY_", "gh", "x:", "0x1."]
)
def test_long_urls_are_read_quickly(part: str) -> None:
    import time

    text = "http://x/" + part * 5000 if part[0] in "?/$_" else "http://" + part * 5000
    start = time.perf_counter()
    read_url(text)
    assert time.perf_counter() - start < 1
