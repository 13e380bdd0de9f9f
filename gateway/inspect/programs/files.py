"""What programs take that copy, move, pack, make and remove files: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_RCLONE = """
bisync cleanup copy copyto dedupe delete deletefile move moveto purge rmdir rmdirs sync
"""

PROGRAMS: Mapping[str, str] = MappingProxyType(
    {
        "rm": "-r -R --recursive, -f --force, -i, -I, --interactive=?, -v --verbose, -d --dir, "
        "--no-preserve-root, --preserve-root=?, --one-file-system, -x, -P, -W, --help, --version | delete*",
        "rmdir": "-p --parents, --ignore-fail-on-non-empty, -v --verbose, --help, --version | empty*",
        "unlink": "--help, --version | delete*",
        "rimraf": "-g --glob, -G --no-glob, -v --verbose, -V --no-verbose, -i --interactive, "
        "--preserve-root, --no-preserve-root, --impl=, --tmp=, --max-retries=, --retry-delay=, "
        "--backoff=, -h --help, --version | delete*",
        "del-cli": "-f --force, -d --dry-run, --help, --version | delete*",
        "premove": "--help, --version, -v --verbose | delete*",
        "trash": "-v --verbose, -h --help, --version, -F, -s | delete*",
        "trash-put": "-v --verbose, -f --force, -r -R --recursive, -d --directory, -i --interactive, "
        "--trash-dir=, --home-fallback, -h --help, --version | delete*",
        "rclone": "--config=, --log-file=, --log-level=, -v --verbose, -q --quiet, -P --progress, "
        "--transfers=, --checkers=",
        **dict.fromkeys(
            (f"rclone {verb}" for verb in _RCLONE.split()),
            "-n --dry-run, -i --interactive, -v --verbose, -q --quiet, -P --progress, --config=, --transfers=, "
            "--checkers=, --include=, --exclude=, -f= --filter=, --min-age=, --max-age=, --min-size=, "
            "--max-size=, --bwlimit=, --log-file=, --log-level=, --backup-dir=, --suffix=",
        ),
        "gio": "--help, --version",
        "gio remove": "-f --force | delete*",
        "gio trash": "-f --force, --empty, --list, --restore | delete*",
        "gvfs-rm": "-f --force | delete*",
        "gvfs-trash": "-f --force, --empty | delete*",
        "kioclient": "--noninteractive, --interactive, --overwrite",
        "kioclient remove": "| delete*",
        "kioclient move": "| delete* write",
        "kioclient copy": "| read* write",
        "unsquashfs": "-d=write -dest=, -f -force, -l, -ll, -s, -n, -p=, -i, -e=",
        "ar": "--output=write",
        "shred": "-f --force, -n= --iterations=, --random-source=, -s= --size=, -u, --remove=?, -v "
        "--verbose, -x --exact, -z --zero, --help, --version | delete*",
        "srm": "-d, -f --force, -i --interactive, -l, -ll, -r -R --recursive, -v --verbose, -z, -s "
        "--simple, -P, -D, -G, -x --one-file-system, -m, --help, --version | delete*",
        "wipe": "-a, -b=, -c, -D, -e, -f, -F, -h, -i, -k, -K, -l=, -M=, -o=, -P=, -q, -Q=, -r, -R=, -s, "
        "-S=, -T=, -v, -w, -x=, -X=, -z, -Z | delete*",
        "scrub": "-v --version, -r --remove, -p= --pattern=, -D= --dirent=, -f --force, -S --no-signature, "
        "-X --freespace, -b= --blocksize=, -s= --device-size=, -R --no-hwrand, -T --test-sig, -n, -h "
        "--help | delete*",
        "bleachbit": "-c --clean, -o --overwrite, -p --preview, -s --shred, -w --wipe-free-space, -l "
        "--list-cleaners, --preset, --all-but-warning, --sysinfo, --gui, --exit, --no-uac, --no-load-cleaners, "
        "-v --version, -h --help",
        "truncate": "-c --no-create, -o --io-blocks, -r= --reference=read, -s= --size=, --help, --version | "
        "write*",
        "fallocate": "-c --collapse-range, -d --dig-holes, -i --insert-range, -l= --length=, -n "
        "--keep-size, -o= --offset=, -p --punch-hole, -v --verbose, -x --posix, -z --zero-range | write*",
        "touch": "-a, -c --no-create, -d= --date=, -f, -h --no-dereference, -m, -r= --reference=read, -t=, "
        "--time=, --help, --version | append*",
        "mkdir": "-m= --mode=, -p --parents, -v --verbose, -Z, --context=?, --help, --version | make*",
        "mkfifo": "-m= --mode=, -Z, --context=? | append*",
        "mktemp": "-d --directory, -u --dry-run, -q --quiet, --suffix=, -p= --tmpdir=?, -t | make*",
        "cp": "-a --archive, --attributes-only, --backup=?, -b, --copy-contents, -d, -f --force, -i "
        "--interactive, -H, -l --link, -L --dereference, -n --no-clobber, -P --no-dereference, -p, "
        "--preserve=?, --no-preserve=, --parents, -R -r --recursive, --reflink=?, --remove-destination, "
        "--sparse=, --strip-trailing-slashes, -s --symbolic-link, -S= --suffix=, -t= --target-directory=, -T "
        "--no-target-directory, -u --update=?, -v --verbose, -x --one-file-system, -Z, --context=?, -c, -X, "
        "--debug, --help, --version",
        "mv": "--backup=?, -b, -f --force, -i --interactive, -n --no-clobber, --no-copy, --exchange, "
        "--strip-trailing-slashes, -S= --suffix=, -t= --target-directory=, -T --no-target-directory, -u "
        "--update=?, -v --verbose, -Z --context, -h, --debug, --help, --version",
        "ln": "--backup=?, -b, -d -F --directory-links, -f --force, -i --interactive, -L --logical, -n -h "
        "--no-dereference, -P --physical, -r --relative, -s --symbolic, -S= --suffix=, -t= "
        "--target-directory=, -T --no-target-directory, -v --verbose, --help, --version",
        "link": "--help, --version",
        "install": "--backup=?, -b, -c, -C --compare, -d --directory, -D, -g= --group=, -m= --mode=, -o= "
        "--owner=, -p --preserve-timestamps, -s --strip, --strip-program=, -S= --suffix=, -t= "
        "--target-directory=, -T --no-target-directory, -v --verbose, --preserve-context, -Z, "
        "--context=?, --help, --version",
        "ditto": "-V, -v, -X, -c, -x, -z, -j, -k, --keepParent, --arch=, --bom=, --rsrc, --norsrc, "
        "--extattr, --noextattr, --qtn, --noqtn, --acl, --noacl, --sequesterRsrc, --zlibCompressionLevel=",
        "scp": "-3, -4, -6, -A, -B, -C, -O, -p, -q, -R, -r --recursive, -T, -v, -c=, -D=, -F=read, -i=, "
        "-J=, -l=, -o=, -P=, -S=, -X=",
        "rsync": "-v --verbose, -q --quiet, -c --checksum, -a --archive, -r --recursive, -R --relative, -b "
        "--backup, --backup-dir=, --suffix=, -u --update, --inplace-write, --append, --append-verify, -d "
        "--dirs, "
        "-l --links, -L --copy-links, --copy-unsafe-links, --safe-links, -k --copy-dirlinks, -K "
        "--keep-dirlinks, -H --hard-links, -p --perms, -E --executability, --chmod=, -A --acls, -X "
        "--xattrs, -o --owner, -g --group, --devices, --specials, -D, -t --times, -U --atimes, -O "
        "--omit-dir-times, --super, --fake-super, -S --sparse, --preallocate, -n --dry-run, -W "
        "--whole-file, --checksum-choice= --cc=, -x --one-file-system, -B= --block-size=, -e= --rsh=, "
        "--rsync-path=, --existing --ignore-non-existing, --ignore-existing, --remove-source-files "
        "--remove-sent-files, --delete --del --delete-before --delete-during --delete-delay --delete-after "
        "--delete-excluded --delete-missing-args, --ignore-errors, --force, --max-delete=, --max-size=, "
        "--min-size=, --partial, --partial-dir=, --delay-updates, -m --prune-empty-dirs, --numeric-ids, "
        "--usermap=, --groupmap=, --chown=, --timeout=, --contimeout=, -I --ignore-times, --size-only, "
        "-@= --modify-window=, -T= --temp-dir=, -y --fuzzy, --compare-dest=, --copy-dest=, --link-dest=, -z "
        "--compress, --compress-choice= --zc=, --compress-level= --zl=, --skip-compress=, -C "
        "--cvs-exclude, -f= --filter=, -F, --exclude=, --exclude-from=read, --include=, "
        "--include-from=read, --files-from=read, -0 --from0, -s --protect-args, --address=, --port=, "
        "--sockopts=, --blocking-io, --stats, -8 --8-bit-output, -h --human-readable, --progress, -P, -i "
        "--itemize-changes, -M= --remote-option=, --out-format=, --log-file=write, --log-file-format=, "
        "--password-file=read, --list-only, --bwlimit=, --stop-after=, --stop-at=, --write-batch=write, "
        "--only-write-batch=write, --read-batch=read, --protocol=, --iconv=, --checksum-seed=, -4 --ipv4, "
        "-6 --ipv6, --info=, --debug=, --outbuf=, --mkpath, -V --version, --help",
        "rename": "-v --verbose, -n --no-act --nono, -o --no-overwrite, -f --force, -s --symlink, -d "
        "--filename, -e=, -i --interactive, -V --version, -h --help, -0 --null, -l --last, -a --all | text "
        "write*",
        "tar": "-A --catenate --concatenate, -c --create, -d --diff --compare, --delete, -r --append, -t "
        "--list, -u --update, -x --extract --get, -f= --file=, -C= --directory=, -P --absolute-names, -O "
        "--to-stdout, --to-command=, --remove-files, --overwrite, --overwrite-dir, -U --unlink-first, "
        "--recursive-unlink, -k --keep-old-files, --skip-old-files, --keep-newer-files, -z --gzip --gunzip, -j "
        "--bzip2, -J --xz, -Z --compress, --zstd, --lzma, --lz4, -a --auto-compress, -I= "
        "--use-compress-program=, -v --verbose, -w --interactive --confirmation, -p --preserve-permissions "
        "--same-permissions, -s, -m --touch, -h --dereference, -l, -W --verify, -S --sparse, -G "
        "--incremental, -g= "
        "--listed-incremental=, -T= --files-from=read, -X= --exclude-from=read, --exclude=, "
        "--strip-components=, --transform= --xform=, -b= --blocking-factor=, -H= --format=, -K= "
        "--starting-file=, -N= --newer= --after-date=, -V= --label=, -L= --tape-length=, -F= --info-script= "
        "--new-volume-script=, -M --multi-volume, --owner=, --group=, --mode=, --mtime=, --sort=, "
        "--suffix=, --backup=?, --checkpoint=?, --checkpoint-action=, --warning=, --wildcards, "
        "--no-same-owner, --same-owner, --one-top-level=?, -o --no-same-owner, -B --read-full-records, -i "
        "--ignore-zeros, -n --seek, -R --block-number, --force-local, --numeric-owner, --rsh-command=, "
        "--rmt-command=, --totals=?, --no-recursion, --recursion, --help, --version",
        "unzip": "-o, -n, -d=, -q, -qq, -j, -l, -p, -t, -v, -z, -Z, -a, -aa, -b, -C, -D, -f, -u, -K, -L, -M, "
        "-U, -V, -W, -X, -:, -^, -P=, -O=, -I=, -x",
        "zip": "-r --recurse-paths, -R, -m --move, -d --delete, -u --update, -f --freshen, -FS --filesync, -j "
        "--junk-paths, -q --quiet, -v --verbose, -e --encrypt, -P= --password=, -y --symlinks, -@, -T "
        "--test-archive, -x= --exclude=, -i= --include=, -n= --suffixes=, -t= --from-date=, -b= "
        "--temp-path=, -O= --output-file= --out=write, -s= --split-size=, -Z= --compression-method=, -0, -1, "
        "-9, -X --strip-extra, -D --no-dir-entries, -A --adjust-sfx, -g --grow, -o --latest-time, -l, -k, "
        "-z, -c",
        "cpio": "-i --extract, -o --create, -p --pass-through, -t --list, -u --unconditional, -d "
        "--make-directories, -m --preserve-modification-time, -v --verbose, -D= --directory=, -F= "
        "--file=, -E= --pattern-file=, -H= --format=, -C= --io-size=, -I=read, -O=write, -R= --owner=, -M= "
        "--message=, -0 --null, -a --reset-access-time, -l --link, -L --dereference, -r --rename, -f "
        "--nonmatching, -B, -c, -k, -n, -V --dot, --absolute-filenames, --no-absolute-filenames, "
        "--no-preserve-owner, --quiet, --sparse, --to-stdout",
        "dpkg-deb": "-x --extract, -X --vextract, -R --raw-extract, -c --contents, -I --info, -W --show, -f "
        "--field, -e --control, -b --build, -Z=, -z=, -S=, --fsys-tarfile, --ctrl-tarfile",
        "gzip": "-c --stdout --to-stdout, -d --decompress --uncompress, -f --force, -k --keep, -l --list, -n "
        "--no-name, -N --name, -q --quiet, -r --recursive, -S= --suffix=, -t --test, -v --verbose, -1, -9, "
        "--rsyncable, --fast, --best | pack*",
        "bzip2": "-c --stdout, -d --decompress, -z --compress, -f --force, -k --keep, -t --test, -q, -v, -s "
        "| pack*",
        "xz": "-c --stdout --to-stdout, -d --decompress, -z --compress, -f --force, -k --keep, -l --list, -t "
        "--test, -S= --suffix=, -T= --threads=, -F= --format=, -C= --check-type=, -M= --memlimit=, -e, -q, "
        "-v | pack*",
        "zstd": "-c --stdout, -d --decompress, -f --force, -k --keep, -l --list, -t --test, --rm, -o=write, "
        "-D=read, -T=, -q, -v, -r | read*",
        "sponge": "-a --append | pour",
        "tee": "-a --append, -i --ignore-interrupts, -p, --output-error=?, --help, --version | pour*",
        "patch": "-b --backup, -B= --prefix=, -c --context, -d= --directory=write, -D= --ifdef=, "
        "--dry-run, -E --remove-empty-files, -f --force, -F= --fuzz=, -g= --get=, -i= --input=read, -l "
        "--ignore-whitespace, --merge=?, -n --normal, -N --forward, -o= --output=write, -p= --strip=, "
        "--posix, --quoting-style=, -r= --reject-file=, -R --reverse, -s --silent --quiet, -t --batch, "
        "-T --set-time, -u --unified, -v --version, -V= --version-control=, -Y= --basename-prefix=, -z= "
        "--suffix=, -Z --set-utc, --verbose, --binary, --read-only=, --help | write read",
        "split": "-a= --suffix-length=, -b= --bytes=, -C= --line-bytes=, -l= --lines=, -n= --number=, -d, "
        "--numeric-suffixes=?, -e, --filter=, --additional-suffix=, -t= --separator=, --verbose | read write",
        "dos2unix": "-n --newfile, -k --keepdate, -q --quiet, -b, -c=, -f --force | write*",
        "unix2dos": "-n --newfile, -k --keepdate, -q --quiet, -b, -c=, -f --force | write*",
        "ed": "-s --quiet --silent, -p= --prompt=, -E, -r, -G, -l, -v | open*",
        "ex": "-c=, -s, -e, -R, -u=, -i=, -V, -n, -N, -S=, -T= | open*",
        "vim": "-c=, --cmd=, -S=read, -e, -E, -s, -es, -R, -u=, -U=, -i=, -n, -N, -V, -T=, -p, -o, -O, -d, -b, "
        "-t=, -w=write, -W=write, -q=, --noplugin, --not-a-term, --clean, --version, -h --help, -r=?, -L | "
        "open*",
        "nano": "-w, -l, -T=, -r=, -E, -i, -m, -v, -B, -C=, -Y=, -R, -t | open*",
        "emacs": "-batch --batch, -nw, -Q, -q, --eval=, -l= --load=, -f= --funcall=, -u=, -d= | open*",
        "crudini": "--set, --get, --del, --merge, --list, --existing=?, --format=, --inplace, --output= | pour",
    }
)
