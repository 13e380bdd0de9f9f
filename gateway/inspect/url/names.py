"""Names of hosts that say where they lead, and sites that are known for what they do with what they get."""

from __future__ import annotations

import re

from gateway.inspect.url.kind import UrlKind
from gateway.later import later

_LONGEST_SUFFIX = 80


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LOOPBACK = _names("""
localhost localhost.localdomain localhost4 localhost4.localdomain4 localhost6 localhost6.localdomain6
ip6-localhost ip6-loopback ipv6-localhost ipv6-loopback loopback
""")
_METADATA = _names("""
metadata metadata.google.internal metadata.goog metadata.azure.internal metadata.azure.com
metadata.tencentyun.com metadata.packet.net metadata.platformequinix.com metadata.oraclecloud.com
metadata.cloud.ibm.com api.metadata.cloud.ibm.com metadata.scw.eu metadata.nova metadata.service.softlayer.com
instance-data instance-data.ec2.internal rancher-metadata rancher-metadata.rancher.internal
""")
# Suffixes that no public zone has, or that are set aside for networks of their own.
_LOCAL = _names("""
local localdomain localhost lan internal intranet intra private priv corp home home.arpa test svc cluster consul
nomad docker kube k8s dhcp localnet workgroup default kube-system
fritz.box easy.box speedport.ip routerlogin.net routerlogin.com tplinkwifi.net tplinklogin.net router.asus.com
""")
# All names below them point to the machine itself.
_POINT_TO_LOOPBACK = _names("""
localtest.me lvh.me vcap.me lacolhost.com yoogle.com fuf.me smackaho.st localho.st local.gd localhost.direct
lndo.site ddev.site docksal.site 127-0-0-1.org.uk spoofed.burpcollaborator.net localdomain.pw loopback.jp
localh.st lcl.host localhost.pw
""")
# The names below them say the address that they point to, or point to several in turn.
_POINT_ANYWHERE = _names("""
nip.io sslip.io xip.io xip.name ipq.co traefik.me backname.io local-ip.co local-ip.sh local-ip.medicmobile.org
plex.direct 1u.ms rbndr.us rebind.network rebind.it ip.addr.tools ip6.name
""")
_SHORTENERS = _names("""
bit.ly bitly.com j.mp t.co tinyurl.com goo.gl ow.ly is.gd v.gd buff.ly rb.gy cutt.ly t.ly tiny.cc shorturl.at
rebrand.ly bl.ink short.io lnkd.in s.id qr.ae tr.im adf.ly shorte.st clck.ru vk.cc u.to soo.gd x.co tny.im
kutt.it dub.sh shrtco.de 1url.com urlz.fr surl.li reurl.cc t2m.io snip.ly
""")
_COLLECTORS = _names("""
webhook.site requestbin.com requestbin.net requestb.in requestcatcher.com pipedream.net beeceptor.com hookbin.com
postb.in ptsv2.com ptsv3.com mockbin.org mockbin.com webhookinbox.com webhook.cool webhook-test.com hookdeck.com
typedwebhook.tools requestinspector.com putsreq.com smee.io hookb.in httpdump.app bin.webhookrelay.com
oast.pro oast.live oast.site oast.online oast.fun oast.me interact.sh interactsh.com burpcollaborator.net
oastify.com canarytokens.com canarytokens.org dnslog.cn ceye.io dnsbin.zhack.ca bxss.me xss.ht xss.report
r87.me eyes.sh log.xn--9tr.com tu4.org pingb.in dnshook.site rbaskets.in
ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev trycloudflare.com serveo.net localhost.run lhr.life
lhr.rocks loca.lt localtunnel.me pinggy.link pinggy.io bore.pub tunnelto.dev telebit.io pagekite.me
transfer.sh file.io 0x0.st termbin.com ix.io sprunge.us bashupload.com oshi.at temp.sh tmpfiles.org gofile.io
requestrepo.com ntfy.sh formspree.io formsubmit.co getform.io kvdb.io jsonbin.io crudcrud.com dweet.io
catbox.moe paste.rs dpaste.org hastebin.com grabify.link iplogger.org iplogger.com
""")
_COLLECTING_PATHS = (
    (later(r"(?:\w+\.)?discord(?:app)?\.com\Z"), later(r"/api/(?:v\d+/)?webhooks/", re.IGNORECASE)),
    (later(r"hooks\.slack(?:-gov)?\.com\Z"), later(r"/(?:services|workflows|triggers)/")),
    (later(r"api\.telegram\.org\Z"), later(r"/(?:file/)?bot[0-9]+:")),
    (later(r"(?:www\.)?google-analytics\.com\Z"), later(r"/(?:g/|j/|mp/|debug/)?collect")),
    (later(r"pastebin\.com\Z"), later(r"/api/")),
    (later(r"docs\.google\.com\Z"), later(r"/forms/.*formResponse", re.IGNORECASE)),
    (later(r"script\.google\.com\Z"), later(r"/macros/s/[^/]+/exec")),
    (later(r"(?:\w+\.)?webhook\.office\.com\Z"), later(r"/webhook")),
    (later(r"maker\.ifttt\.com\Z"), later(r"/trigger/")),
    (later(r"hooks\.zapier\.com\Z"), later(r"/hooks/")),
    (later(r"hook\.(?:\w+\.)?make\.com\Z"), later(r"/")),
)


def kinds_of_name(host: str) -> list[tuple[UrlKind, str]]:
    """What a name in canonical form says about where it leads, with the reason for each kind."""
    found: list[tuple[UrlKind, str]] = []
    if host in _LOOPBACK or host.endswith(".localhost"):
        found.append((UrlKind.LOOPBACK, "it is a name of the machine itself"))
    elif host in _METADATA:
        found.append((UrlKind.METADATA, "it is the name of a cloud's metadata service"))
    elif "." not in host:
        found.append((UrlKind.LOCAL_NAME, "a name without a dot is one of the private network"))
    elif _ending(host, _LOCAL):
        found.append(
            (UrlKind.LOCAL_NAME, f"names that end in `{_ending(host, _LOCAL)}` belong to private networks")
        )
    if suffix := _ending(host, _POINT_TO_LOOPBACK):
        found.append((UrlKind.REBINDING, f"all names of `{suffix}` point to the machine itself"))
    suffix = _ending(host, _POINT_ANYWHERE)
    if suffix and host not in (suffix, f"www.{suffix}"):
        found.append((UrlKind.REBINDING, f"names of `{suffix}` point to whatever address they spell"))
    return found


def kinds_of_site(host: str, path: str) -> list[tuple[UrlKind, str]]:
    """What a public site is known for."""
    if host in _SHORTENERS:
        return [(UrlKind.SHORTENER, "a short link hides the address that it leads to")]
    if suffix := _ending(host, _COLLECTORS):
        return [(UrlKind.COLLECTOR, f"`{suffix}` keeps what is sent to it for whoever set the address up")]
    for name, below in _COLLECTING_PATHS:
        if name.match(host) and below.match(path):
            return [(UrlKind.COLLECTOR, "it is an address at which somebody collects messages")]
    return []


def _ending(host: str, suffixes: frozenset[str]) -> str:
    """The suffix of the host that is among these, at a boundary of its labels."""
    if len(host) > _LONGEST_SUFFIX:
        host = host[-_LONGEST_SUFFIX:].partition(".")[2]
    while host:
        if host in suffixes:
            return host
        host = host.partition(".")[2]
    return ""
