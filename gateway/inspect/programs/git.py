"""What `git` takes, one line a subcommand: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_HELP = "-h --help"
_QUIET = "-q --quiet, -v --verbose"
_PATHS = "--pathspec-from-file=, --pathspec-file-nul"
# How a merge is made, for the subcommands that make one.
_MERGES = (
    "-s= --strategy=, -X= --strategy-option=, -S --gpg-sign=?, --no-gpg-sign, --abort, --continue, --quit, "
    "--skip, --rerere-autoupdate, --no-rerere-autoupdate, --verify, --no-verify, --autostash, --no-autostash"
)
_FETCHES = (
    "-f --force, -a --append, -p --prune, -P --prune-tags, -t --tags, -n --no-tags, -k --keep, -j= --jobs=, "
    "--depth=, --deepen=, --shallow-since=, --shallow-exclude=, --unshallow, --update-shallow, --refmap=, "
    "--upload-pack=, -o= --server-option=, --negotiation-tip=, --filter=, --all, --dry-run, --atomic, "
    "--recurse-submodules=?, --no-recurse-submodules, --set-upstream, -u --update-head-ok, --progress, "
    f"--multiple, -4 --ipv4, -6 --ipv6, {_QUIET}, {_HELP}"
)
# What `log`, `diff` and `show` have in common.
_SHOWS = (
    "--output=write, --output-indicator-new=, --output-indicator-old=, -n= --max-count=, --skip=, --since= "
    "--after=, --until= --before=, --author=, --committer=, --grep=, --format=, --pretty=?, --date=, -S=, -G=, "
    "-L=, -O=, -U= --unified=, -l=, --diff-filter=, --word-diff-regex=, --src-prefix=, --dst-prefix=, "
    "--line-prefix=, --inter-hunk-context=, --diff-algorithm=, --anchored=, --stat=?, --color=?, --decorate=?, "
    "-p --patch, --no-ext-diff, --ext-diff, --textconv, --no-textconv, --name-only, --name-status, --oneline, "
    "--graph, --all, --follow, --cached, --staged, -R, -M -C -B, -w, -b, -z, -s --no-patch, "
    f"--exit-code, -q --quiet, {_HELP}"
)
_FILTERS = (
    "--tree-filter=, --env-filter=, --index-filter=, --msg-filter=, --commit-filter=, --parent-filter=, "
    f"--tag-name-filter=, --subdirectory-filter=, --setup=, -d=, --original=, --state-branch=, -f --force, {_HELP}"
)

PROGRAMS: Mapping[str, str] = MappingProxyType(
    {
        "git": "-C=, -c=, --git-dir=, --work-tree=, --namespace=, --super-prefix=, --config-env=, "
        "--attr-source=, --list-cmds=, --exec-path=?, -p --paginate, -P --no-pager, --bare, "
        "--no-replace-objects, --literal-pathspecs, --glob-pathspecs, --noglob-pathspecs, "
        "--icase-pathspecs, --no-optional-locks, --no-advice, -h --help, -v --version",
        "git add": "-n --dry-run, -f --force, -A --all, -u --update, -p --patch, -i --interactive, -e --edit, "
        f"-N --intent-to-add, --chmod=, --renormalize, --refresh, {_PATHS}, {_QUIET}, {_HELP}",
        "git am": "-3 --3way, -i --interactive, -k --keep, -s --signoff, -c --scissors, -C=, -p=, --directory=, "
        "--exclude=, --include=, --patch-format=, --reject, --resolved --continue, --skip, --abort, --quit, "
        f"-n --no-verify, -S --gpg-sign=?, --no-gpg-sign, -q --quiet, {_HELP}",
        "git apply": "-R --reverse, --check, --stat, --numstat, --summary, --cached, --index, -3 --3way, "
        "--apply, --no-apply, --reject, -p=, -C=, --directory=, --exclude=, --include=, --whitespace=, "
        f"--build-fake-ancestor=, --recount, --unidiff-zero, --unsafe-paths, {_QUIET}, {_HELP}",
        "git archive": "-o= --output=write, --remote=, --exec=, --format=, --prefix=, --add-file=read, "
        f"--add-virtual-file=, --mtime=, -l --list, -v --verbose, --worktree-attributes, {_HELP}",
        "git bisect": f"--term-good=, --term-bad=, --no-checkout, --first-parent, {_HELP}",
        "git branch": "-d --delete, -D, -m --move, -M, -c --copy, -C, -f --force, -r --remotes, -a --all, "
        "-l --list, -t --track=?, --no-track, -u= --set-upstream-to=, --unset-upstream, --contains=, "
        "--no-contains=, --merged, --no-merged, --points-at=, --sort=, --format=, --color=?, --column=?, "
        f"--abbrev=?, --show-current, --edit-description, -i --ignore-case, {_QUIET}, {_HELP}",
        "git checkout": "-f --force, -b=, -B=, --orphan=, -t --track=?, --no-track, -m --merge, -p --patch, "
        "-d --detach, -l, -2 --ours, -3 --theirs, --conflict=, --guess, --no-guess, --progress, --no-progress, "
        "--ignore-skip-worktree-bits, --overlay, --no-overlay, --overwrite-ignore, --no-overwrite-ignore, "
        f"--ignore-other-worktrees, --recurse-submodules=?, --no-recurse-submodules, -q --quiet, {_PATHS}, {_HELP}",
        "git checkout-index": "-f --force, -a --all, -u --index, -n --no-create, --prefix=, --stage=, --temp, "
        f"--stdin, -z, -q --quiet, {_HELP}",
        "git cherry-pick": f"-e --edit, -x, -m= --mainline=, -n --no-commit, -s --signoff, --ff, --cleanup=, "
        f"--allow-empty, --keep-redundant-commits, {_MERGES}, {_HELP}",
        "git clean": "-f --force, -d, -x, -X, -n --dry-run, -i --interactive, -e= --exclude=, -q --quiet, "
        f"--no-dry-run, {_HELP}",
        "git clone": "-l --local, -s --shared, --no-hardlinks, -n --no-checkout, --bare, --mirror, -o= --origin=, "
        "-b= --branch=, -u= --upload-pack=, --reference=, --reference-if-able=, --dissociate, "
        "--separate-git-dir=, --depth=, --shallow-since=, --shallow-exclude=, --single-branch, "
        "--no-single-branch, --tags, --no-tags, --recurse-submodules=? --recursive, --shallow-submodules, "
        "--remote-submodules, -j= --jobs=, --filter=, --sparse, --template=, -c= --config=, --revision=, "
        f"--server-option=, --bundle-uri=, --progress, {_QUIET}, {_HELP}",
        "git commit": "-a --all, -p --patch, -C= --reuse-message=, -c= --reedit-message=, --fixup=, --squash=, "
        "--reset-author, -m= --message=, -F= --file=, -t= --template=, --author=, --date=, --cleanup=, -s "
        "--signoff, --no-signoff, --trailer=, -n --no-verify, --verify, --allow-empty, --allow-empty-message, "
        "--amend, --no-edit, -e --edit, -i --include, -o --only, -u --untracked-files=?, -v --verbose, -q --quiet, "
        "--dry-run, --short, --branch, --porcelain, --long, -z, --status, --no-status, -S --gpg-sign=?, "
        f"--no-gpg-sign, --no-post-rewrite, {_PATHS}, {_HELP}",
        "git config": "--global, --system, --local, --worktree, -f= --file=, --blob=, --type=, -t=, --default=, "
        "--comment=, --value=, --get, --get-all, --get-regexp, --get-urlmatch, --get-color, --get-colorbool, "
        "--unset, --unset-all, --rename-section, --remove-section, -l --list, --add, --replace-all, --fixed-value, "
        "-e --edit, -z --null, --name-only, --show-origin, --show-scope, --includes, --no-includes, "
        f"--bool, --int, --path, --all, --append, --regexp, --url=, {_HELP}",
        "git diff": _SHOWS,
        "git difftool": "-x= --extcmd=, -t= --tool=, -d --dir-diff, -g --gui, -y --no-prompt, --prompt, "
        f"--tool-help, {_SHOWS}",
        "git fast-import": f"--force, --export-marks=write, --import-marks=, --quiet, --date-format=, {_HELP}",
        "git fetch": _FETCHES,
        "git fetch-pack": f"--upload-pack= --exec=, --depth=, --all, --stdin, -q --quiet, -k --keep, {_HELP}",
        "git filter-branch": _FILTERS,
        "git filter-repo": "--path=, --path-glob=, --path-regex=, --paths-from-file=, --path-rename=, "
        "--replace-text=, --replace-message=, --mailmap=, --message-callback=, --blob-callback=, "
        "--commit-callback=, --filename-callback=, --email-callback=, --name-callback=, --refname-callback=, "
        "--subdirectory-filter=, --to-subdirectory-filter=, --strip-blobs-bigger-than=, --strip-blobs-with-ids=, "
        f"--refs=, --source=, --target=, --invert-paths, --analyze, --dry-run, -f --force, {_HELP}",
        "git format-patch": f"-o= --output-directory=, --cover-letter, -v= --reroll-count=, --stdout, {_SHOWS}",
        "git gc": "--prune=?, --no-prune, --aggressive, --auto, --force, --keep-largest-pack, --cruft, "
        f"-q --quiet, {_HELP}",
        "git grep": "-O --open-files-in-pager=?, -e=, -f=, -A=, -B=, -C=, -m=, --max-depth=, --threads=, "
        f"-i, -n, -l, -w, -v, -c, -E, -F, -P, -r, --cached, --untracked, --no-index, --color=?, {_HELP}",
        "git init": f"--template=, --separate-git-dir=, -b= --initial-branch=, --bare, --shared=?, "
        f"--object-format=, --ref-format=, -q --quiet, {_HELP}",
        "git log": _SHOWS,
        "git ls-remote": "--upload-pack= --exec=, -h --heads --branches, -t --tags, --refs, --get-url, --sort=, "
        "--symref, --exit-code, -o= --server-option=, -q --quiet, --help",
        "git merge": f"-m= --message=, -F= --file=, --into-name=, --cleanup=, --commit, --no-commit, -e --edit, "
        "--no-edit, --ff, --no-ff, --ff-only, --log=?, --no-log, -n --no-stat, --stat, --squash, --no-squash, "
        f"--signoff, --allow-unrelated-histories, {_MERGES}, {_QUIET}, {_HELP}",
        "git mv": f"-f --force, -k, -n --dry-run, -v --verbose, {_HELP}",
        "git notes": f"--ref=, -m=, -F=, -C=, -c=, -f --force, -n --dry-run, -v --verbose, {_HELP}",
        "git prune": f"-n --dry-run, -v --verbose, --progress, --expire=, {_HELP}",
        "git pull": f"-r --rebase=?, --no-rebase, --ff, --no-ff, --ff-only, --squash, --commit, --no-commit, -e "
        f"--edit, --no-edit, --allow-unrelated-histories, {_MERGES}, {_FETCHES}",
        "git push": "-f --force, --force-with-lease=?, --no-force-with-lease, --force-if-includes, "
        "--no-force-if-includes, --mirror, --all, --branches, --tags, --follow-tags, "
        "--no-follow-tags, -d --delete, --prune, -n --dry-run, --no-dry-run, --porcelain, -q "
        "--quiet, -v --verbose, -u --set-upstream, --signed=?, --no-signed, --atomic, --no-atomic, -o= "
        "--push-option=, --receive-pack= --exec=, --repo=, --progress, --thin, --no-thin, "
        "--verify, --no-verify, -4 --ipv4, -6 --ipv6, --recurse-submodules=, "
        "--no-recurse-submodules, -h --help",
        "git read-tree": "-m, -u, -i, --reset, --prefix=, -n --dry-run, --empty, --index-output=write, "
        f"--recurse-submodules, -v, -q --quiet, {_HELP}",
        "git rebase": "--onto=, --keep-base, -i --interactive, -x= --exec=, -p, -r --rebase-merges=?, --root, "
        "--edit-todo, --show-current-patch, -m --merge, --apply, --autosquash, --no-autosquash, "
        "--reschedule-failed-exec, --update-refs, "
        "--fork-point, --no-fork-point, -f --force-rebase --no-ff, -C=, --empty=, --whitespace=, "
        f"--signoff, --reset-author-date, -n --no-stat, --stat, {_MERGES}, {_QUIET}, {_HELP}",
        "git reflog": "-n --dry-run, --expire=, --expire-unreachable=, --all, --single-worktree, --updateref, "
        f"--rewrite, --stale-fix, --verbose, --date=, --format=, --pretty=, {_HELP}",
        "git remote": f"-v --verbose, -t=, -m=, -f, --tags, --no-tags, --mirror=?, --push, --add, -d --delete, --all, "
        f"-n --dry-run, -a --auto, -p --prune, {_HELP}",
        "git reset": "--hard, --soft, --mixed, --merge, --keep, -N --intent-to-add, -q --quiet, --no-quiet, -p "
        "--patch, --refresh, --no-refresh, --pathspec-from-file=, --pathspec-file-nul, "
        "--recurse-submodules=?, --no-recurse-submodules, -h --help",
        "git restore": "-s= --source=, -p --patch, -W --worktree, -S --staged, -q --quiet, --progress, --ours, "
        "--theirs, -m --merge, --conflict=, --ignore-unmerged, --ignore-skip-worktree-bits, --overlay, "
        f"--no-overlay, --recurse-submodules=?, --no-recurse-submodules, {_PATHS}, {_HELP}",
        "git revert": "-e --edit, --no-edit, -m= --mainline=, -n --no-commit, --cleanup=, -s --signoff, --reference, "
        f"{_MERGES}, {_HELP}",
        "git rm": f"-f --force, -n --dry-run, -r, --cached, --ignore-unmatch, --sparse, -q --quiet, {_PATHS}, {_HELP}",
        "git send-pack": "-f --force, --mirror, --all, -n --dry-run, --no-dry-run, --receive-pack= --exec=, "
        "--remote=, --stdin, --atomic, --thin, -q --quiet, -v --verbose, --force-with-lease=?, --push-option=",
        "git show": _SHOWS,
        "git stash": "-m= --message=, -u --include-untracked, -a --all, -k --keep-index, --no-keep-index, -p "
        f"--patch, -S --staged, --index, -q --quiet, --only-untracked, {_PATHS}, {_HELP}",
        "git submodule": "-f --force, --all, --init, --remote, --recursive, -b= --branch=, --name=, --reference=, "
        f"--depth=, -j= --jobs=, --checkout, --merge, --rebase, -N --no-fetch, -q --quiet, --cached, {_HELP}",
        "git switch": "-c= --create=, -C= --force-create=, -d --detach, --guess, --no-guess, -f "
        "--discard-changes --force, -m --merge, --conflict=, -q --quiet, -t --track=?, --no-track, --orphan=, "
        f"--ignore-other-worktrees, --recurse-submodules=?, --no-recurse-submodules, {_HELP}",
        "git symbolic-ref": f"-d --delete, -q --quiet, --short, --no-recurse, -m=, {_HELP}",
        "git tag": "-a --annotate, -s --sign, -u= --local-user=, -f --force, -d --delete, -v --verify, -n=?, -l "
        "--list, --sort=, --color=?, -i --ignore-case, --contains=, --no-contains=, --merged=, --no-merged=, "
        "--points-at=, --column=?, --format=, -m= --message=, -F= --file=, -e --edit, --cleanup=, --trailer=, "
        f"--create-reflog, {_HELP}",
        "git update-ref": f"-d --delete, --no-deref, -m=, --stdin, -z, --create-reflog, {_HELP}",
        "git worktree": "-f --force, -b=, -B=, -d --detach, --checkout, --no-checkout, --lock, --reason=, --track, "
        f"--orphan, -n --dry-run, -v --verbose, --expire=, --porcelain, -z, -q --quiet, {_HELP}",
        "git lfs": "--include=, --exclude=, -I=, -X=, --everything, --include-ref=, --exclude-ref=, --above=, "
        f"--fixup, --dry-run, -f --force, -d, --verify-remote, --yes, {_HELP}",
        "bfg": "-b= --strip-blobs-bigger-than=, -B= --strip-biggest-blobs=, -bi= --strip-blobs-with-ids=, -D= "
        "--delete-files=, --delete-folders=, -rt= --replace-text=, --private, --no-blob-protection, "
        "-p= --protect-blobs-from=, --massive-non-file-objects-sized-up-to=, --help, --version",
    }
)
