"""Names of Python's modules and functions, under which tables know them, however code spells them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Other modules that hold the same functions, and what people write without having imported it in this text.
_SAME: Mapping[str, str] = MappingProxyType(
    {
        "posix": "os",
        "nt": "os",
        "posixpath": "os.path",
        "ntpath": "os.path",
        "macpath": "os.path",
        "path": "os.path",
        "builtins": "",
        "__builtins__": "",
        "__builtin__": "",
        "Path": "pathlib.Path",
        "pathlib.PosixPath": "pathlib.Path",
        "pathlib.WindowsPath": "pathlib.Path",
        "pathlib.PurePath": "pathlib.Path",
        "pathlib.PurePosixPath": "pathlib.Path",
        "anyio.Path": "pathlib.Path",
        "_io": "io",
        "io.open": "open",
        "codecs.open": "open",
        "gzip.open": "open",
        "bz2.open": "open",
        "lzma.open": "open",
        "aiofiles.open": "open",
        "os.fdopen": "open",
        "file": "open",
        "urllib2": "urllib.request",
        "urllib.urlopen": "urllib.request.urlopen",
        "urllib.urlretrieve": "urllib.request.urlretrieve",
        "urlopen": "urllib.request.urlopen",
        "rmtree": "shutil.rmtree",
        "subprocess32": "subprocess",
        "_posixsubprocess": "subprocess",
        "asyncio.subprocess": "asyncio",
        "cPickle": "pickle",
        "_pickle": "pickle",
        "dill": "pickle",
        "cloudpickle": "pickle",
        "joblib.load": "pickle.load",
        "torch.load": "pickle.load",
        "imp.load_source": "runpy.run_path",
        "os.getcwdu": "os.getcwd",
        "pandas": "pd",
        "sa": "sqlalchemy",
        "sqla": "sqlalchemy",
        "numpy": "np",
        "sqlalchemy.sql.text": "sqlalchemy.text",
        "text": "sqlalchemy.text",
        "_socket": "socket",
        "distutils.dir_util.remove_tree": "shutil.rmtree",
        "setuptools._distutils.dir_util.remove_tree": "shutil.rmtree",
        "distutils.file_util.move_file": "shutil.move",
        "distutils.spawn.spawn": "subprocess.run",
        "pip._internal.main": "pip.main",
        "pip._internal.cli.main.main": "pip.main",
        "commands": "subprocess",
        "popen2.popen2": "os.popen",
        "platform.popen": "os.popen",
        "urllib3.request": "requests.request",
        "urllib3.PoolManager": "requests.Session",
        "httpx": "requests",
        "httpx.Client": "requests.Session",
        "httpx.AsyncClient": "requests.Session",
        "requests.session": "requests.Session",
        "aiohttp.ClientSession": "requests.Session",
        "aiohttp.request": "requests.request",
        "curl_cffi.requests": "requests",
        "cloudscraper.create_scraper": "requests.Session",
        "http.client.HTTPConnection": "http.client.HTTPSConnection",
        "httplib": "http.client",
        "tqdm.auto.tqdm": "tqdm.tqdm",
        "tqdm.auto": "tqdm",
        "smtplib.SMTP_SSL": "smtplib.SMTP",
        "ftplib.FTP_TLS": "ftplib.FTP",
        "git.Repo": "git.Repo",
        "boto3.resource": "boto3.client",
    }
)


def canonical(name: str) -> str:
    """The name that the tables know a function, class or module by."""
    for _ in range(3):
        head, made = name, None
        while head:
            same = _SAME.get(head)
            rest = name[len(head) :]
            if same is not None and same != head and (same or rest):
                made = (same + rest) if same else rest[1:]
                break
            head = head.rpartition(".")[0]
        if made is None:
            return name
        name = made
    return name
