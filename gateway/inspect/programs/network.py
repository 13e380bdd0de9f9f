"""What programs take that fetch, send and connect: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_HTTPIE = (
    "-a= --auth=, -A= --auth-type=, -s= --style=, --pretty=, -p= --print=, -o= --output=, --session=, "
    "--session-read-only=, --timeout=, --verify=, --cert=, --cert-key=, --proxy=, --max-redirects=, --raw=, "
    "--boundary=, "
    "--response-charset=, --response-mime=, --ssl=, --ciphers=, --compress -x, -j --json, -f --form, --multipart, -v "
    "--verbose, -h --headers, -b --body, -m --meta, -q --quiet, -d --download, -c --continue, -F --follow, "
    "--check-status, -I --ignore-stdin, --offline, -S --stream, --debug, --help"
)
_REST = (
    "-Method= --method=, -Uri= --uri=, -Headers= --headers=, -Body= --body=, -ContentType=, -OutFile=write, -InFile=, "
    "-Credential=, -Token=, -Authentication=, -UserAgent=, -TimeoutSec=, -Proxy=, -WebSession=, -UseBasicParsing"
)

PROGRAMS: Mapping[str, str] = MappingProxyType(
    {
        "curl": "-X= --request=, -d= --data= --data-ascii=, --data-raw=, --data-binary=, --data-urlencode=, "
        "--json=, -F= "
        "--form=, --form-string=, --url-query=, -T= --upload-file=, -H= --header=, --proxy-header=, -o= "
        "--output=write, "
        "--output-dir=, -O --remote-name, --remote-name-all, -J --remote-header-name, -u= --user=, -U= "
        "--proxy-user=, "
        "-x= --proxy=, --preproxy=, --socks4=, --socks4a=, --socks5=, --socks5-hostname=, --noproxy=, -A= "
        "--user-agent=, "
        "-e= --referer=, -b= --cookie=, -c= --cookie-jar=write, -D= --dump-header=, -E= --cert=, --cert-type=, "
        "--key=, "
        "--key-type=, --pass=, --cacert=, --capath=, --ciphers=, --tls-max=, --pinnedpubkey=, -K= --config=, -m= "
        "--max-time=, --connect-timeout=, --retry=, --retry-delay=, --retry-max-time=, --limit-rate=, -y= "
        "--speed-time=, "
        "-Y= --speed-limit=, -r= --range=, -C= --continue-at=, -z= --time-cond=, -w= --write-out=, --resolve=, "
        "--connect-to=, --interface=, --dns-servers=, --doh-url=, --unix-socket=, --abstract-unix-socket=, "
        "--max-redirs=, "
        "--max-filesize=, --proto=, --proto-default=, --proto-redir=, --local-port=, --oauth2-bearer=, --aws-sigv4=, "
        "--trace=, --trace-ascii=, --stderr=, --url=, -t= --telnet-option=, -Q= --quote=, -P= --ftp-port=, "
        "--mail-from=, "
        "--mail-rcpt=, --netrc-file=, --alt-svc=, --hsts=, --keepalive-time=, --create-file-mode=, --variable=, "
        "--expand-data=, --expand-url=, --etag-save=, --etag-compare=, --rate=, --parallel-max=, "
        "--happy-eyeballs-timeout-ms=, "
        "--delegation=, --krb=, --login-options=, --sasl-authzid=, --service-name=, --engine=, --egd-file=, "
        "--random-file=, "
        "-s --silent, -S --show-error, -f --fail, --fail-with-body, --fail-early, -L --location, "
        "--location-trusted, -k "
        "--insecure, -I --head, -i --include, --show-headers, -v --verbose, -G --get, -N --no-buffer, -n --netrc, "
        "--netrc-optional, -a --append, -B --use-ascii, -R --remote-time, -p --proxytunnel, -q --disable, -g "
        "--globoff, -j "
        "--junk-session-cookies, -l --list-only, -Z --parallel, -# --progress-bar, --no-progress-meter, -: --next, "
        "-0 "
        "--http1.0, --http1.1, --http2, --http3, -1 --tlsv1, --tlsv1.2, --tlsv1.3, -4 --ipv4, -6 --ipv6, "
        "--compressed, "
        "--create-dirs, --path-as-is, --raw, --ssl, --ssl-reqd, --tcp-nodelay, --anyauth, --basic, --digest, "
        "--negotiate, "
        "--ntlm, --retry-all-errors, --retry-connrefused, --styled-output, -M --manual, -V --version, -h --help=? | "
        "url*",
        "http": _HTTPIE,
        "Invoke-RestMethod": _REST,
        "Invoke-WebRequest": _REST,
        "https": _HTTPIE,
        "xh": _HTTPIE,
        "xhs": _HTTPIE,
        "wget": "-O= --output-document=write, -o= --output-file=write, -a= --append-output=append, -P= "
        "--directory-prefix=, -i= --input-file=, -e= --execute=, -t= --tries=, -T= --timeout=, -w= --wait=, -Q= "
        "--quota=, "
        "-U= --user-agent=, --header=, --referer=, --post-data=, --post-file=, --body-data=, --body-file=, "
        "--method=, "
        "--user=, --password=, --http-user=, --http-password=, --proxy-user=, --proxy-password=, --load-cookies=, "
        "--save-cookies=write, --ca-certificate=, --ca-directory=, --certificate=, --private-key=, --limit-rate=, "
        "--waitretry=, --connect-timeout=, --read-timeout=, --dns-timeout=, --max-redirect=, --bind-address=, -l= "
        "--level=, "
        "-A= --accept=, -R= --reject=, -D= --domains=, -I= --include-directories=, -X= --exclude-directories=, "
        "--cut-dirs=, "
        "-B= --base=, --use-askpass=, --secure-protocol=, --prefer-family=, --progress=, --rejected-log=, -q "
        "--quiet, -c "
        "--continue, -N --timestamping, -S --server-response, --spider, -r --recursive, -m --mirror, -k "
        "--convert-links, -K "
        "--backup-converted, -p --page-requisites, -nv --no-verbose, -nc --no-clobber, -nd --no-directories, -np "
        "--no-parent, -nH --no-host-directories, -x --force-directories, -E --adjust-extension, -H --span-hosts, -L "
        "--relative, -b --background, -v --verbose, -4 --inet4-only, -6 --inet6-only, --no-check-certificate, "
        "--content-disposition, --no-cookies, --no-proxy, -V --version, -h --help | url*",
    }
)
