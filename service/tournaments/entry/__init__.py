"""Who takes part: entering, invitations, reserves."""
