"""Entry: entrants, invitations and reserves."""
