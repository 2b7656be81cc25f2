from rewards_sandbox import rewards_sandbox, workspace  # noqa: F401
