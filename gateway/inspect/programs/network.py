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
    "-Method= --method=, -Uri= --uri=, -Headers= --headers=, -Body= --body=, -ContentType=, -OutFile=write, "
    "-InFile=, "
    "-Credential=, -Token=, -Authentication=, -UserAgent=, -TimeoutSec=, -Proxy=, -WebSession=, -UseBasicParsing"
)
_NETCATS = ("nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "cryptcat", "pwncat", "sbd")
_NETCAT = (
    "-e= --exec=, -c= --sh-exec= --lua-exec=, -p= --source-port=, -s= --source=, -w= --wait=, -i= --delay=, "
    "-x= --proxy=, -X= --proxy-type=, -q=, -G=, -I=, -O=, -P=, -T=, -V=, -l --listen, -k --keep-open, -n, -r, -t, "
    "-u --udp, -v --verbose, -z, -4, -6, -N, -U --unixsock, -d, -D, -h, --ssl, --ssl-cert=, --ssl-key=, --allow=, "
    "--deny=, -g=, -G=, -m= --max-conns=, -o= --output=write | url text*"
)

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
        **dict.fromkeys(_NETCATS, _NETCAT),
        "telnet": "-l=, -a, -8, -E, -K, -L, -x, -b=, -e=, -n= | url text*",
        "socat": "-d, -v, -x, -u, -U, -T=, -t=, -b=, -lf=write, -L= | text*",
        "ssh": "-p=, -i= --identity=, -l=, -o=, -F=, -J=, -L=, -R=, -D=, -b=, -c=, -E=, -e=, -m=, -O=, -Q=, -S=, -W=, "
        "-w=, -B=, -I=, -t, -T, -n, -N, -f, -q, -v, -A, -a, -C, -g, -k, -K, -M, -s, -X, -x, -Y, -y, -4, -6 | url text*",
        "sftp": "-P=, -i= --identity=, -o=, -F=, -J=, -b=read, -B=, -c=, -D=, -l=, -R=, -s=, -S=, -X=, -r, -p, -q, -C | url",
        "ftp": "-n, -v, -i, -p, -a, -o=write, -u= | url text*",
        "tftp": "-m=, -c=, -l, -v | url text*",
        "lftp": "-c=, -e=, -f=read, -u= --user=, -p= | url",
        "dig": "-b=, -c=, -f=, -k=, -p=, -q=url, -t=, -x=, -y=, -4, -6, -m, -r | url*",
        "host": "-t=, -c=, -m=, -N=, -R=, -W=, -a, -d, -v | url text*",
        "nslookup": "-type=, -query=, -q= | url text*",
        "ping": "-c=, -i=, -s=, -t=, -W=, -w=, -p=, -I=, -M=, -Q=, -S=, -l=, -n, -q, -v, -f, -4, -6 | url text*",
        "mail": "-s=, -a=read, -A=read, -c=, -b=, -r=, -S=, -E, -v | url*",
        "mutt": "-s=, -a=read, -c=, -b=, -e=, -F=, -i=read, -n | url*",
        "sendmail": "-f=, -F=, -t, -i, -v | url*",
        "aria2c": "-o= --out=write, -d= --dir=, -i= --input-file=read, -x=, -s=, -j=, --header=, --load-cookies=, -q | url*",
        "axel": "-o= --output=write, -n=, -H= --header=, -a, -q, -k | url*",
        "lynx": "-dump, -source, -cfg=, -accept_all_cookies, -auth=, -cookie_file=read | url*",
        "w3m": "-dump, -dump_source, -T=, -cols=, -o= | url*",
        "grpcurl": "-d=, -H= --header=, -plaintext, -proto=, -import-path=, -cacert=, -cert=, -key=, -insecure | url text*",
        "http": _HTTPIE,
        "https": _HTTPIE,
        "xh": _HTTPIE,
        "xhs": _HTTPIE,
        "Invoke-RestMethod": _REST,
        "Invoke-WebRequest": _REST,
    }
)
