"""Addresses, ranges and URLs: read in one way, and refused where two programs read them in two."""

from __future__ import annotations

import ipaddress
import subprocess
import sys
import time
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import Url as Browser

from gateway.cel import STRING, CelError, Environment, ErrorKind, ListType, check, parse, plan
from gateway.cel.functions.addresses import parse_ip, write_ip
from gateway.cel.functions.urls import parse_url
from gateway.cel.values import Ip
from gateway.diagnostic import Excerpt
from tests.cel.test_evaluate import value_of

ENVIRONMENT = Environment({"l": ListType(STRING), "s": STRING})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ip('10.0.0.256')", "`10.0.0.256` can't be read as an IP address"),
        ("ip('fe80::1%en0')", "`fe80::1%en0` can't be read as an IP address without a zone"),
        (
            "ip('::ffff:10.0.0.1')",
            "`::ffff:10.0.0.1` can't be read as an IP address: IPv4 inside of IPv6 must be written in hexadecimal",
        ),
        ("cidr('10.0.0.0/33')", "`10.0.0.0/33` can't be read as a CIDR range: the length is a number from 0 to 32"),
        (
            "url('http:acme.com')",
            "not a URL that all programs read alike: `http:` is followed by `//` and a host",
        ),
        ("ip('::1') == '::1'", "net.IP and string are never equal"),
        ("isIP(cidr('::/0'))", "`isIP` can't take (net.CIDR)"),
        ("ip('::1') < ip('::2')", "`<` can't take net.IP and net.IP"),
        ("ip('::1').masked()", "`masked` can't take (net.IP)"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_constants_is_said_when_they_are_checked(text: str, message: str) -> None:
    (found,) = check(parse(Excerpt.whole(text)), Environment(), expects=None).diagnostics
    assert found.message == message


@pytest.mark.parametrize("character", ["\t", "\n", "\r", "\0", "\x0b", "\x1f", "\x7f", "\\", "\ud800"])
@pytest.mark.parametrize("place", range(7))
def test_what_programs_drop_or_turn_is_refused_anywhere(character: str, place: int) -> None:
    parts = ["", "https:", "//acme", ".com", "/a", "?b", "#c"]
    assert value_of("isURL(s)", s="".join(parts)) is True
    parts.insert(place, character)
    assert value_of("isURL(s)", s="".join(parts)) is False


def test_a_secret_in_a_url_is_not_in_the_message() -> None:
    with pytest.raises(CelError) as caught:
        value_of("url(s)", s="https://ann:hunter2@acme.com:port/")
    assert "hunter2" not in caught.value.message


HOSTS = ["a", "B.c", "evil.com", "127.0.0.1", "[::1]", "[2001:db8:0:0::1]", "0x7f", "1", "80"]
SIGNS = [
    ":",
    "/",
    "//",
    "@",
    "?",
    "#",
    ".",
    "..",
    "%41",
    "%2e",
    "%2F",
    "%",
    "ü",
    "。",
    " ",
    "\t",
    "\\",
    "-",
    "_",
]
PIECES = st.sampled_from(["http", "https", "ftp", "foo", *HOSTS, *SIGNS])
TAIL = st.lists(
    st.sampled_from([piece for piece in (*HOSTS, *SIGNS) if piece not in ("%", "\t", "\\", "..")])
)
WEB = st.builds(
    "{}://{}{}{}{}{}".format,
    st.sampled_from(["http", "https", "HTTPS", "ftp"]),
    st.sampled_from(["", "a@", "a:b@", "u%41!@", "good.com:80@"]),
    st.sampled_from(
        [*HOSTS, "x_y.Z", "xn--bcher-kva.de", "[::FFFF]", "[::ffff:1.2.3.4]", "1.2.3.4.", "0", "1.2.3.0x4"]
    ),
    st.sampled_from(["", ":1", ":8080", ":443", ":0", ":"]),
    st.sampled_from(["", "/", "?", "#"]),
    TAIL.map("".join),
)
URLS = WEB | st.lists(PIECES).map("".join)


@given(URLS)
def test_what_is_accepted_is_read_alike_by_others_and_again_by_us(text: str) -> None:
    try:
        found = parse_url(text)
    except CelError as error:
        assert error.kind is ErrorKind.INVALID
        return
    assert parse_url(found.text) == found
    python = urlsplit(text)
    assert (python.scheme, python.query) == (found.scheme, found.query)
    theirs = python.hostname or ""
    assert found.hostname == (write_ip(parse_ip(theirs)) if ":" in theirs else theirs)
    if found.scheme in ("http", "https", "ftp"):
        browser = Browser(text)
        assert browser.host is not None
        assert browser.host.strip("[]") == found.hostname
        assert browser.path == (found.path or "/")
        assert str(browser.port) == (found.port or {"http": "80", "https": "443", "ftp": "21"}[found.scheme])


@given(st.text() | st.lists(PIECES).map("".join))
def test_asking_never_fails(text: str) -> None:
    for function in ("isURL", "isIP", "isCIDR"):
        assert value_of(f"{function}(s)", s=text) in (True, False)


@given(st.ip_addresses(v=4) | st.ip_addresses(v=6))
def test_addresses_are_written_and_read_as_python_does(address: ipaddress.IPv4Address) -> None:
    found = Ip(address.version, int(address))
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        found = Ip(4, int(address.ipv4_mapped))
    else:
        assert write_ip(found) == str(address)
    assert parse_ip(write_ip(found)) == found


@pytest.mark.parametrize(
    ("condition", "values"),
    [
        ("l.all(x, isIP(x))", ["2001:db8::1:2:3:4"] * 100_000),
        ("l.exists(x, ip(x).isLoopback())", ["10.0.0.1"] * 100_000),
        ("l.exists(x, cidr('10.0.0.0/8').containsIP(x))", ["11.0.0.1"] * 100_000),
        ("l.exists(x, isURL(x) && false)", ["https://acme.com/" + "ü" * 1_000] * 2_000),
        ("l.exists(x, url(x).getQuery() == {})", ["/?" + "a&" * 200_000] * 100),
    ],
)
def test_many_and_long_texts_end_a_condition_early(condition: str, values: list[str]) -> None:
    program = plan(parse(Excerpt.whole(condition)), ENVIRONMENT)
    started = time.process_time()
    with pytest.raises(CelError) as caught:
        program.evaluate({"l": values})
    assert caught.value.kind is ErrorKind.LIMIT
    assert time.process_time() - started < 1


def test_one_long_text_is_refused_at_once() -> None:
    started = time.process_time()
    assert value_of("isIP(s) || isCIDR(s)", s="1" * 5_000_000) is False
    assert value_of("isURL(s)", s="https://" + "a." * 200_000 + "/") is False
    assert time.process_time() - started < 1


def test_addresses_that_would_hash_alike_as_numbers_are_told_apart_soon() -> None:
    texts = [str(ipaddress.IPv6Address(number * (2**61 - 1))) for number in range(1, 5_001)]
    started = time.process_time()
    assert value_of("l.map(x, ip(x)).distinct().size() == 5000", l=texts) is True
    assert time.process_time() - started < 1


def test_nothing_of_networks_is_imported_before_it_is_used() -> None:
    code = "import sys, gateway.cel; print([m for m in ('ipaddress', 'urllib.parse') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
