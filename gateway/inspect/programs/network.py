"""What programs take that fetch, send and connect: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PROGRAMS: Mapping[str, str] = MappingProxyType(
    {
        "curl": "-o= --output=write, -O --remote-name, --remote-name-all, -J --remote-header-name, --output-dir=, "
        "-d= --data= --data-ascii=, --data-binary=, --data-raw=, --data-urlencode=, --json=, --url-query=, "
        "-F= --form=, --form-string=, -T= --upload-file=read, -X= --request=, -H= --header=, --proxy-header=, "
        "-u= --user=, -U= --proxy-user=, -A= --user-agent=, -e= --referer=, -b= --cookie=, -c= --cookie-jar=write, "
        "-K= --config=read, -x= --proxy=, --preproxy=, --noproxy=, --socks4=, --socks4a=, --socks5=, "
        "--socks5-hostname=, -m= --max-time=, --connect-timeout=, --retry=, --retry-delay=, --retry-max-time=, "
        "-w= --write-out=, -D= --dump-header=write, -E= --cert=, --cert-type=, --key=, --key-type=, --pass=, "
        "--cacert=, --capath=, --crlfile=, -r= --range=, -C= --continue-at=, --resolve=, --connect-to=, "
        "--url=url, -z= --time-cond=, -y= --speed-time=, -Y= --speed-limit=, -Q= --quote=, -P= --ftp-port=, "
        "-t= --telnet-option=, --limit-rate=, --rate=, --max-redirs=, --max-filesize=, --interface=, "
        "--unix-socket=, --abstract-unix-socket=, --doh-url=, --trace=write, --trace-ascii=write, "
        "--stderr=write, --netrc-file=read, --variable=, --expand-data=, --expand-url=url, --aws-sigv4=, "
        "--oauth2-bearer=, --ciphers=, --tls13-ciphers=, --tls-max=, --curves=, --proto=, --proto-default=, "
        "--proto-redir=, --dns-servers=, --dns-interface=, --parallel-max=, --hsts=, --alt-svc=, "
        "--etag-save=write, --etag-compare=, --mail-from=, --mail-rcpt=, --mail-auth=, --request-target=, "
        "--pinnedpubkey=, --engine=, --libcurl=write, --local-port=, --login-options=, --sasl-authzid=, "
        "--service-name=, --keepalive-time=, --happy-eyeballs-timeout-ms=, --expect100-timeout=, "
        "--ftp-account=, --ftp-method=, --delegation=, --ipfs-gateway=, -L --location, --location-trusted, "
        "-s --silent, -S --show-error, -f --fail, --fail-with-body, -k --insecure, -i --include, -I --head, "
        "-v --verbose, -g --globoff, -G --get, -n --netrc, -N --no-buffer, -#, -Z --parallel, -4 --ipv4, "
        "-6 --ipv6, -0 --http1.0, -1 --tlsv1, -2 --sslv2, -3 --sslv3, -a --append, -B --use-ascii, "
        "-j --junk-session-cookies, -l --list-only, -M --manual, -p --proxytunnel, -q --disable, "
        "-R --remote-time, --compressed, --create-dirs, -h --help=?, -V --version | url*",
        "wget": "-O= --output-document=write, -o= --output-file=write, -a= --append-output=append, "
        "-P= --directory-prefix=, -i= --input-file=read, -B= --base=, --config=, -e= --execute=, "
        "--post-data=, --post-file=read, --body-data=, --body-file=read, --method=, --header=, "
        "-U= --user-agent=, --referer=, --user=, --password=, --http-user=, --http-password=, "
        "--ftp-user=, --ftp-password=, --load-cookies=read, --save-cookies=write, -t= --tries=, "
        "-T= --timeout=, --dns-timeout=, --connect-timeout=, --read-timeout=, -w= --wait=, --waitretry=, "
        "-Q= --quota=, -l= --level=, -A= --accept=, -R= --reject=, -D= --domains=, --exclude-domains=, "
        "-I= --include-directories=, -X= --exclude-directories=, --limit-rate=, --bind-address=, "
        "--ca-certificate=, --certificate=, --private-key=, --secure-protocol=, --progress=, "
        "--cut-dirs=, --prefer-family=, --max-redirect=, --accept-regex=, --reject-regex=, "
        "-q --quiet, -v --verbose, -nv --no-verbose, -b --background, -c --continue, -N --timestamping, "
        "-r --recursive, -k --convert-links, -m --mirror, -p --page-requisites, -np --no-parent, "
        "-nc --no-clobber, -nd --no-directories, -nH --no-host-directories, -x --force-directories, "
        "-S --server-response, -E --adjust-extension, -K --backup-converted, -H --span-hosts, "
        "-4 --inet4-only, -6 --inet6-only, --spider, --no-check-certificate, --content-disposition, "
        "-h --help, -V --version | url*",
    }
)
