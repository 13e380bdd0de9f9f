"""What package managers and tools that publish take: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_HELP = "-h --help"
# What the managers of JavaScript packages have in common.
_NODE = (
    "--registry=, --prefix=, -C= --dir=, --cwd=, -w= --workspace=, --workspaces, --filter=, -g --global, --tag=, "
    "--access=, --otp=, --dry-run, -n --no-save, --loglevel=, --cache=, --userconfig=, --globalconfig=, --omit=, "
    "--include=, --install-strategy=, --before=, -p= --package=, -c= --call=, -D --save-dev, -P --save-prod, "
    "-O --save-optional, -E --save-exact, -y --yes, -f --force, -s --silent, --strict-ssl=?, --no-strict-ssl, "
    f"--provenance, --ignore-scripts, --no-git-checks, -r --recursive, -v --version, {_HELP}"
)
# What starts a package that may have to be fetched.
_RUN = (
    "-y --yes, -n --no --no-install, -p= --package=, -c= --call=, -w= --workspace=, --workspaces, -q --quiet, "
    "--registry=, --prefix=, --cache=, --loglevel=, --node-arg=, --userconfig=, --prefer-offline, --prefer-online, "
    f"--ignore-existing, --bun, --silent, -v --version, {_HELP}"
)
_PIP = (
    "-r= --requirement=, -c= --constraint=, -e= --editable=, -i= --index-url= --default-index=, "
    "--extra-index-url= --index=, -f= --find-links=, --trusted-host= --allow-insecure-host=, -t= --target=, "
    "--prefix=, --root=, --src=, --proxy=, --timeout=, --retries=, --cert=, --client-cert=, -p= --python=, --log=, "
    "--platform=, --python-version=, --implementation=, --abi=, --only-binary=, --no-binary=, --progress-bar=, "
    "--report=, --cache-dir=, --upgrade-strategy=, -C= --config-settings=, --group=, --extra=, --index-strategy=, "
    "--source=, --git=, --branch=, --tag=, --rev=, --with=, --from=, --spec=, --suffix=, -d= --dest=, "
    "-U --upgrade, --dev, --pre, --user, --no-deps, --no-index, --dry-run, --force-reinstall, "
    f"--break-system-packages, -y --yes, -q --quiet, -v --verbose, -V --version, {_HELP}"
)
_PUBLISH = (
    "-r= --repository=, --repository-url=, --publish-url=, --token=, -u= --username=, -p= --password=, --cert=, "
    "-c= --comment=, --config-file=, --client-cert=, --identity=, --sign-with=, -s --sign, --skip-existing, "
    f"--dry-run, --build, --no-build, -i --interactive, --verbose, {_HELP}"
)
_GITHUB = "-R= --repo=, --hostname=, -w --web, -y --yes, -h --help"
_MAVEN = (
    "-f= --file=, -pl= --projects=, -P= --activate-profiles=, -s= --settings=, -gs=, -t=, -T= --threads=, -D=, "
    f"-rf= --resume-from=, -l= --log-file=, -q --quiet, -B --batch-mode, -o --offline, -U, -X, -v, {_HELP}"
)
_GRADLE = (
    "-p= --project-dir=, -b= --build-file=, -c= --settings-file=, -I= --init-script=, -g=, -x= --exclude-task=, "
    f"--tests=, --console=, -P=, -D=, -m --dry-run, -q --quiet, -v --version, {_HELP}"
)

PROGRAMS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("npm", "pnpm", "yarn", "bun", "cnpm"), _NODE),
        **dict.fromkeys(("npx", "pnpx", "bunx"), _RUN),
        # modules that `python -m` runs
        "virtualenv": "--clear, --upgrade, --system-site-packages, --symlinks, --copies, --without-pip, --upgrade-deps, "
        "--prompt=, -p= --python=, --without-scm-ignore-files, -q --quiet, -v --verbose, -h --help, --version | make*",
        "cProfile": "-o=write, -s=, -m= | read",
        "zipapp": "-o= --output=write, -p= --python=, -m= --main=, -c --compress, --info, -h --help | read",
        "json.tool": "--sort-keys, --no-ensure-ascii, --json-lines, --indent=, --tab, --no-indent, --compact, -h --help | "
        "read write",
        "zipfile": "-e= --extract=, -c= --create=write, -l= --list=read, -t= --test=read, --metadata-encoding=",
        "tarfile": "-e= --extract=, -c= --create=write, -l= --list=read, -t= --test=read, -v --verbose, --filter=",
        **dict.fromkeys(("pip", "pip3", "pipx", "uv", "uvx", "pdm", "poetry", "rye", "easy_install"), _PIP),
        **dict.fromkeys(("twine", "flit", "hatch", "maturin"), _PUBLISH),
        "cargo": "--git=, --branch=, --tag=, --rev=, --path=, --root=, --index=, --registry=, --vers= --version=, "
        "--token=, -p= --package=, --bin=, --example=, --features=, -F=, --target=, --target-dir=, "
        "--manifest-path=, -j= --jobs=, --config=, --color=, -Z=, -C=, --profile=, -a= --add=, -r= --remove=, "
        "--allow-dirty, --dry-run, -n, --undo, --locked, --offline, --release, --no-verify, -f --force, "
        f"-x --execute, -q --quiet, -v --verbose, -V, {_HELP}",
        "gem": "-s= --source=, -v= --vers= --version=, -i= --install-dir=, -n= --bindir=, -P= --trust-policy=, "
        "-k= --key=, --host=, -p= --platform=, --otp=, -a= --add=, -r= --remove=, -l --local, -c --clear-all, "
        f"-f --force, -N --no-document, --undo, --dry-run, {_HELP}",
        "gh": _GITHUB,
        "gh api": "-X= --method=, -H= --header=, -f= --raw-field=, -F= --field=, --input=, -q= --jq=, -t= --template=, "
        "--cache=, -p= --preview=, --hostname=, -i --include, --paginate, --slurp, --silent, --verbose, -h --help",
        "gh pr": "-t= --title=, -b= --body=, -F= --body-file=, -B= --base=, -H= --head=, -a= --assignee=, -r= "
        "--reviewer=, -l= --label=, -m= --milestone=, -p= --project=, -T= --template=, -A= --author-email=, "
        "--match-head-commit=, --subject=, -S= --search=, -s= --state=, -L= --limit=, --json=, -q= --jq=, "
        "-c= --comment=, --admin, --auto, "
        f"-d --delete-branch, --squash, --rebase, --merge, --fill, {_GITHUB}",
        "gh issue": "-t= --title=, -b= --body=, -F= --body-file=, -a= --assignee=, -l= --label=, -m= --milestone=, "
        f"-p= --project=, -T= --template=, -s= --state=, -L= --limit=, -S= --search=, -c= --comment=, {_GITHUB}",
        "gh repo": "-d= --description=, --homepage=, --visibility=, --default-branch=, --add-topic=, --remove-topic=, "
        "-g= --gitignore=, -l= --license=, -p= --template=, -r= --remote=, -s= --source=, -t= --title=, "
        "-u= --upstream-remote-name=, -L= --limit=, --json=, -q= --jq=, --public, --private, --internal, --clone, "
        f"--accept-visibility-change-consequences, --confirm, {_GITHUB}",
        "gh release": "-t= --title=, -n= --notes=, -F= --notes-file=, --notes-start-tag=, --target=, "
        "--discussion-category=, --tag=, -p= --pattern=, -D= --dir=, -O= --output=, -L= --limit=, --draft=?, "
        f"--generate-notes, --latest=?, --prerelease, --cleanup-tag, --clobber, {_GITHUB}",
        "gh gist": f"-d= --desc=, -f= --filename=, -p --public, -a= --add=, -r= --remove=, -L= --limit=, {_GITHUB}",
        "gh run": f"-b= --branch=, -w= --workflow=, -L= --limit=, -s= --status=, -j= --job=, -n= --name=, {_GITHUB}",
        "gh secret": f"-a= --app=, -b= --body=, -e= --env=, -o= --org=, -f= --env-file=, -v= --visibility=, {_GITHUB}",
        "gh variable": f"-b= --body=, -e= --env=, -o= --org=, -f= --env-file=, -v= --visibility=, {_GITHUB}",
        "gh workflow": f"-r= --ref=, -f= --raw-field=, -F= --field=, -a --all, -L= --limit=, {_GITHUB}",
        "gh label": f"-c= --color=, -d= --description=, -n= --name=, -f --force, -L= --limit=, {_GITHUB}",
        "gh extension": f"--pin=, --force, --precompiled=, {_GITHUB}",
        "glab": "-R= --repo=, -X= --method=, -f= --raw-field=, -F= --field=, -H= --header=, -t= --title=, -d= "
        "--description=, -m= --message=, -g= --group=, -n= --notes=, -N= --notes-file=, -l= --label=, -b= --branch=, "
        f"-s= --source-branch=, -a= --assignee=, --visibility=, --public, -P --private, --hostname=, -y --yes, {_HELP}",
        "go install": f"-tags=, -ldflags=, -gcflags=, -mod=, -modfile=, -o=, -p=, -v, -x, -insecure, {_HELP}",
        "go get": f"-tags=, -u, -t, -d, -v, -x, -insecure, {_HELP}",
        "go env": f"-w, -u, -json, -changed, {_HELP}",
        "go build": f"-C=, -tags=, -ldflags=, -gcflags=, -asmflags=, -overlay=, -mod=, -modfile=, -o=write, -p=, -v, -x, -race, {_HELP}",
        "brew": f"-f --force, -q --quiet, -v --verbose, --cask, --formula, --HEAD, -n --dry-run, {_HELP}",
        **dict.fromkeys(("mvn", "mvnw", "mvnd"), _MAVEN),
        **dict.fromkeys(("gradle", "gradlew"), _GRADLE),
        "vsce": f"-p= --pat=, -t= --target=, -m= --message=, -i= --packagePath=, --pre-release, {_HELP}",
    }
)
