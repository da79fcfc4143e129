"""From a letter that is due to a message that was sent."""
