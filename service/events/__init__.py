"""What happened, for streams and webhooks."""
