"""Names of variables that hold secrets."""

from __future__ import annotations

import re

from gateway.later import later

# Names that only ever hold secrets; `KEY` alone is as often one of a map.
_NAME = later(
    r"(?:\A|_)(?:SECRET|SECRETS|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY|PRIVATE_KEY|(?:API|ACCESS|AUTH|"
    r"ENCRYPTION|SIGNING|MASTER|SERVICE_ROLE|SECRET|ACCOUNT)_?KEY|PGPASS|PGPASSWORD|SSHPASS|MYSQL_PWD|REDISCLI_AUTH|(?:DB|USER|ADMIN|ROOT|MYSQL|PG|SMTP|MAIL|SUDO|API|REDIS|FTP|SSH|"
    r"KEYSTORE|CERT|PROXY)_PASS|[A-Z]*_PAT|DSN|DATABASE_URL|CONNECTION_STRING)"
    r"(?:_|\Z)",
    re.IGNORECASE,
)
_NOT_ONE = later(
    r"_(?:FILE|PATH|DIR|URL|URI|NAME|ID|ARN|LENGTH|TTL|EXPIRY|EXPIRES|COUNT|TYPE|HEADER)\Z", re.IGNORECASE
)
# Their user names and passwords stand in them.
_URL = later(r"(?:\A|_)(?:DATABASE|POSTGRES|MYSQL|MONGO|MONGODB|REDIS|AMQP)_UR[LI]\Z", re.IGNORECASE)


def secret_name(name: str) -> bool:
    """Whether a variable of this name holds a secret."""
    return _NAME.search(name) is not None and (_NOT_ONE.search(name) is None or _URL.search(name) is not None)
