"""The operations that the platform and the microsite call."""
