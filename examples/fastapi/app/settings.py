"""The settings. Each is an environment variable with the same name in capitals."""

import secrets
from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

# No repr, so that no log shows a secret.
Secret = Annotated[str, Field(min_length=1, repr=False)]

# `HTTPBasic` of FastAPI reads ASCII only, and a user name ends at the first colon.
BasicUser = Annotated[str, Field(pattern=r"^[!-9;-~]+$")]
BasicPassword = Annotated[str, Field(pattern=r"^[ -~]+$", repr=False)]


class Settings(BaseModel):
    model_config = ConfigDict(frozen=True)

    service_token: Secret
    basic_user: BasicUser
    basic_password: BasicPassword
    port: int = Field(default=8080, ge=0, le=65_535)
    ledger_file: str = "ledger.sqlite"
    project_code: str = "DEMO01"
    jwt_secret: str = Field(default_factory=lambda: secrets.token_hex(32), min_length=32, repr=False)
    message_gateway_url: str = ""
    message_gateway_authorization: str = Field(default="", repr=False)
    otp_limit: int = Field(default=5, ge=0)
    token_seconds: int = Field(default=1800, ge=1)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Settings":
        """Reads the settings. An empty variable counts as a missing one."""
        given = {name: environment.get(name.upper()) for name in cls.model_fields}
        return cls.model_validate({name: value for name, value in given.items() if value})
