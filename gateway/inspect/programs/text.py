"""What programs take that read, search and rewrite texts: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_GREP = (
    "-e= --regexp=text, -f= --file=text, -E --extended-regexp, -F --fixed-strings, -G --basic-regexp, -P "
    "--perl-regexp, -i -y --ignore-case, --no-ignore-case, -w --word-regexp, -x --line-regexp, -z "
    "--null-data, -s --no-messages, -v --invert-match, -V --version, -m= --max-count=, -b --byte-offset, "
    "-n --line-number, --line-buffered, -H --with-filename, -h --no-filename, --label=, -o "
    "--only-matching, -q --quiet --silent, --binary-files=, -a --text, -I, -d= --directories=, -D= "
    "--devices=, -r --recursive, -R --dereference-recursive, --include=, --exclude=, --exclude-from=, "
    "--exclude-dir=, -L --files-without-match, -l --files-with-matches, -c --count, -T --initial-tab, -Z "
    "--null, -A= --after-context=, -B= --before-context=, -C= --context=, --color=?, --colour=?, -U "
    "--binary, --help | text read*"
)
_AWK = "-F= --field-separator=, -v= --assign=, -f= --file=script, -i= --include=, -e= --source=script, -o=?, -d=?, "
_AWK += (
    "-E= --exec=script, -l= --load=, -L=?, -p=?, -b, -c, -C, -g, -h, -M, -n, -N, -O, -P, -r, -s, -S, -t, -V"
)

# They tell that a file is there, its name, size, kind or sum, and nothing of what it holds.
_LOOKING = """
[ b2sum b3sum basename cd cksum dir dirname file getfacl lsattr md5sum namei pushd readlink realpath sha1sum
sha224sum sha256sum sha384sum sha512sum shasum sum test type vdir which
"""
_COMPILERS = """
c++ cc clang clang++ g++ gcc
"""

PROGRAMS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(_LOOKING.split(), ""),
        "fmt": "-w= --width=, -g= --goal=, -p= --prefix=, -s --split-only, -t --tagged-paragraph, -u --uniform-spacing, "
        "-c --crown-margin | read*",
        "m4": "-D= --define=, -I= --include=, -U= --undefine=, -E, -P, -s, -g, -Q | read*",
        "grep": _GREP,
        "egrep": _GREP,
        "fgrep": _GREP,
        "zgrep": _GREP,
        "rg": "-e= --regexp=text, -f= --file=text, -g= --glob=, --iglob=, -t= --type=, -T= --type-not=, "
        "--type-add=, --type-clear=, -A= --after-context=, -B= --before-context=, -C= --context=, -m= "
        "--max-count=, -M= --max-columns=, -j= --threads=, -d= --max-depth= --maxdepth=, -r= --replace=, -E= "
        "--encoding=, --color=, --colors=, --sort=, --sortr=, --engine=, --pre=, --pre-glob=, "
        "--ignore-file=, --max-filesize=, --context-separator=, --field-match-separator=, "
        "--path-separator=, --dfa-size-limit=, --regex-size-limit=, --generate=, --hyperlink-format=, "
        "--hostname-bin=, --stop-on-nonmatch, --files=text, -i --ignore-case, -s --case-sensitive, -S "
        "--smart-case, -w --word-regexp, -x --line-regexp, -F --fixed-strings, -v --invert-match, -l "
        "--files-with-matches, -c --count, -n --line-number, -N --no-line-number, -o --only-matching, -u "
        "--unrestricted, -uu, -uuu, -U --multiline, -P --pcre2, -q --quiet, -p --pretty, -H, -I, -0, -a "
        "--text, -L --follow, -z --search-zip, --hidden, -., --no-ignore, --json, --stats, --vimgrep, -h "
        "--help, -V --version | text read*",
        "ag": "-A= --after=, -B= --before=, -C= --context=, -G= --file-search-regex=, --ignore=, -m= "
        "--max-count=, --depth=, -p= --path-to-ignore=, --pager=, -g=text, -W= --width= | text read*",
        "sed": "-n --quiet --silent, -e= --expression=script, -f= --file=script, -i --in-place=?, -E -r "
        "--regexp-extended, -s --separate, -u --unbuffered, -z --null-data, -l= --line-length=, --posix, "
        "--debug, --sandbox, --follow-symlinks, --help, --version | script edit*",
        "awk": f"{_AWK} | script read*",
        "gawk": f"{_AWK} | script read*",
        "mawk": f"{_AWK} | script read*",
        "nawk": f"{_AWK} | script read*",
        "perl": "-e=script, -E=script, -i --in-place=?, -n, -p, -a, -l, -0, -F=?, -I=, -M=, -m=, -w, -W, "
        "-X, -c, -C=?, -d=?, -D=?, -s, -S, -t, -T, -u, -U, -v, -V=?, -x=?, -h | script edit*",
        "ruby": "-e=script, -i --in-place=?, -n, -p, -a, -l, -0, -F=?, -I=, -r=, -C=, -E=, -K=, -w, -W=?, "
        "-c, -d, -s, -S, -T=?, -x=?, -v, -h | script edit*",
        "jq": "-n --null-input, -r --raw-output, -R --raw-input, -s --slurp, -c --compact-output, -e "
        "--exit-status, -j --join-output, -a --ascii-output, -S --sort-keys, -C --color-output, -M "
        "--monochrome-output, --tab, --indent=, -f= --from-file=script, -L=, --arg=, --argjson=, --slurpfile=, "
        "--rawfile=, --args, --jsonargs, --stream, --seq, -h --help, -V --version | script read*",
        "yq": "-i --inplace --in-place, -n --null-input, -r --unwrapScalar, -P --prettyPrint, -o= "
        "--output-format=, -p= --input-format=, -I= --indent=, -e --exit-status, -N --no-doc, -C --colors, -M "
        "--no-colors, -s= --split-exp=, -f= --front-matter=, --from-file=script, --expression=script, "
        "--arg=, --xml-attribute-prefix=, -j --tojson, -y, -Y, -S, -c, -v, -V --version, -h --help | script "
        "edit*",
        "sort": "-o= --output=write, -k= --key=, -t= --field-separator=, -S= --buffer-size=, -T= "
        "--temporary-directory=, --compress-program=, --parallel=, --files0-from=read, --random-source=, "
        "--batch-size=, --sort=, -r --reverse, -n, -u --unique, -f, -b, -d, -g, -h, -i, -M, -R, -V, -c, -C, -m "
        "--merge, -s --stable, -z | read*",
        "uniq": "-c --count, -d --repeated, -D, -f= --skip-fields=, -s= --skip-chars=, -w= --check-chars=, -i, "
        "-u --unique, -z | read write",
        "xxd": "-r -revert, -p -ps, -l= -len=, -s= -seek=, -c= -cols=, -g= -groupsize=, -b, -i, -u, -e, -a, "
        "-E, "
        "-o=, -n= | read write",
        "head": "-n= --lines=, -c= --bytes=, -q --quiet, -v --verbose, -z | read*",
        "tail": "-n= --lines=, -c= --bytes=, -f --follow=?, -F, -q --quiet, -v --verbose, -s= "
        "--sleep-interval=, --pid=, --retry, --max-unchanged-stats=, -z | read*",
        "cut": "-b= --bytes=, -c= --characters=, -d= --delimiter=, -f= --fields=, --output-delimiter=, -n, -s, "
        "-z, --complement | read*",
        "nl": "-b= --body-numbering=, -d=, -f=, -h=, -i=, -l=, -n=, -s=, -v=, -w=, -p | read*",
        "od": "-A=, -j=, -N=, -S=, -t=, -w=?, -v, -c, -x, -a, -b, -d, -o | read*",
        "hexdump": "-n=, -s=, -e=, -f=, -C, -v, -b, -c, -d, -o, -x | read*",
        "strings": "-n= --bytes=, -t= --radix=, -e= --encoding=, -T= --target=, -a --all, -f, -o | read*",
        "base64": "-d -D --decode, -i= --input=read, -o= --output=write, -w= --wrap=, -b= --break=, "
        "--ignore-garbage | read*",
        "iconv": "-f= --from-code=, -t= --to-code=, -o= --output=write, -c, -l, -s | read*",
        "cat": "-A, -b, -e, -E, -n, -s, -t, -T, -u, -v, --number, --show-all, --help, --version | read*",
        "bat": "-l= --language=, -r= --line-range=, -H= --highlight-line=, -p --plain, -n --number, --style=, "
        "--theme=, --paging=, --pager=, --color=, --wrap=, -m= --map-syntax=, --tabs=, --terminal-width=, "
        "-A | read*",
        "less": "-p=, -P=, -x=, -z=, -y=, -j=, -h=, -b=, -k=, -t=, -T=, -o=write, -O=write, -#=, -N, -S, "
        "-R, -F, -X, -i, -I, "
        "-e, -E, -f, -g, -G, -m, -M, -n, -q, -r, -s, -u, -w | read*",
        "diff": "-U= --unified=?, -C= --context=?, -u, -r --recursive, -N, -q --brief, -y --side-by-side, -W= "
        "--width=, -x= --exclude=, -X= --exclude-from=, -I= --ignore-matching-lines=, --label=, -L=, -F=, -S=, "
        "--from-file=read, --to-file=read, --color=?, --palette=, -w, -b, -B, -i, -a, -s, -t, -T, -p | read*",
        "wc": "-c --bytes, -m --chars, -l --lines, -w --words, -L, --files0-from=read, --total=",
        "stat": "-c= --format=, --printf=, -f, -t, -L, -x, -n, -q, -r, -s, --cached=",
        "ls": "-I= --ignore=, -w= --width=, -T= --tabsize=, --block-size=, --color=?, --format=, --hide=, "
        "--indicator-style=, --quoting-style=, --sort=, --time=, --time-style=, -l, -a, -R",
        "du": "-d= --max-depth=, -t= --threshold=, -B= --block-size=, --exclude=, -X= --exclude-from=, -h, -s, "
        "-a, -c, --time=?",
        "tree": "-o=write, -L=, -P=, -I=, --filelimit=, --timefmt=, --charset=, -H=, -T=, --sort=",
        "fold": "-w= --width=, -s, -b | read*",
        "paste": "-d= --delimiters=, -s, -z | read*",
        "comm": "-1, -2, -3, -z, --output-delimiter= | read*",
        "column": "-s= --separator=, -o= --output-separator=, -c= --output-width=, -N= --table-columns=, -t, "
        "-R=, -T=, -J, -n= | read*",
        "shuf": "-n= --head-count=, -e, -i= --input-range=, -o= --output=write, --random-source=, -r, -z | "
        "read*",
        "csplit": "-f= --prefix=write, -b= --suffix-format=, -n= --digits=, -k, -s, -z | read text*",
        "envsubst": "-v | text",
        "pandoc": "-o= --output=write, -f= --from=, -t= --to=, --template=read, -V= --variable=, -M= "
        "--metadata=, --metadata-file=read, -s, -H=, -B=, -A=, -c=, -F= --filter=, -L= --lua-filter= | read*",
        **dict.fromkeys(_COMPILERS.split(), "-o=write, -I=, -L=, -l=, -D=, -U=, -x=, -include=, -isystem="),
        "ld": "-o=write, -L=, -l=, -T=, -e=, -m=, -z=",
        "go": "-C=",
        "rustc": "-o=write, --out-dir=, --crate-name=, --crate-type=, --edition=, -C=, -L=, -l=, --cfg=",
        "openssl": "-out=write, -keyout=write, -in=read, -inkey=read, -pass=, -passin=, -passout=, -k=, -K=, -iv=",
        "gofmt": "-w --write, -l, -d, -s, -e, -r=, -cpuprofile= | edit*",
        "goimports": "-w --write, -l, -d, -e, -local= | edit*",
        "shfmt": "-w --write, -l, -d, -i= --indent=, -ln= --language-dialect=, -s, -bn, -ci, -sr, -kp, -fn, "
        "-p | edit*",
        "clang-format": "-i --in-place, --style= -style=, --lines= -lines=, --assume-filename=, -n "
        "--dry-run, --Werror | edit*",
        "prettier": "-w --write, -c --check, -l --list-different, --config=read, --ignore-path=, --parser=, "
        "--plugin=, --log-level=, --loglevel=, --print-width=, --tab-width=, --trailing-comma=, "
        "--stdin-filepath=, --prose-wrap=, --end-of-line=, --no-config, --single-quote | edit*",
        "eslint": "--fix, --fix-dry-run, -c= --config=, --ext=, -o= --output-file=write, -f= --format=, "
        "--rule=, --ignore-path=, --ignore-pattern=, --max-warnings=, --cache, --cache-location=, --parser=, "
        "--plugin=, --resolve-plugins-relative-to=, --quiet | edit*",
        "stylelint": "--fix, -o= --output-file=write, --config=, -f= --formatter=, --ignore-path=, "
        "--custom-syntax= | edit*",
        "markdownlint": "-f --fix, -o= --output=write, -c= --config=, -i= --ignore=, -p= --ignore-path= | "
        "edit*",
        "codespell": "-w --write-changes, -S= --skip=, -L= --ignore-words-list=, -I= --ignore-words=, -D= "
        "--dictionary=, -x= --exclude-file=, -i= --interactive=, -q= --quiet-level= | edit*",
        "rubocop": "-a --autocorrect --auto-correct, -A --autocorrect-all --auto-correct-all, -o= "
        "--out=write, -c= "
        "--config=, -f= --format=, --only=, --except= | edit*",
        "black": "--check, --diff, -l= --line-length=, -t= --target-version=, -c=text, --config=, --include=, "
        "--exclude=, --extend-exclude=, --force-exclude=, --stdin-filename=, -q --quiet, -v, -S, -W= | pack*",
        "isort": "-c --check --check-only, --diff, -l= --line-length=, --profile=, -p=, -s=, --sp=, -q "
        "--quiet | pack*",
        "autopep8": "-i --in-place, -d --diff, -r --recursive, --max-line-length=, --select=, --ignore=, "
        "-a, -j= | edit*",
        "autoflake": "-i --in-place, -c --check, -r --recursive, --exclude=, --imports=, "
        "--remove-all-unused-imports | edit*",
        "2to3": "-w --write, -n, -f= --fix-name=, -x= --nofix=, -o= --output-dir= | edit*",
        "sd": "-F --fixed-strings, -s --string-mode, -p --preview, -f= --flags=, -n= --max-replacements= | "
        "text text write*",
    }
)
