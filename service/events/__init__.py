"""The event log, for streams and webhooks."""
