"""Letters in and out.

In: a door (`incoming/smtp_server.py`, `incoming/imap_poller.py` or the inbound endpoint of the web service) gives a raw
message to `inbox.store`, which keeps it at once; the worker then calls `inbox.process`. There `parse_message` takes the
message apart (with `html_to_text`), `sender_checks` says who sent it, `reply_addresses` which question it answers,
`reading` what its writer typed and what that asks for (with `commands`). `router` checks all
this in one order and finds the handler for the kind of address: `match_replies` (tables), `invitation_replies`
(invitations, seats that were given, new addresses), `account_commands` (the service itself) or `bounce_reports`. They
act through the same doors as REST and return an outcome, which `inbox` writes down with the jobs of its answers.

Out: the worker gives each job of a letter to `outgoing/deliver.py`, which has `letters` compose it from a
`LetterContext`, `outgoing/write.py` render and store it, and `outgoing/smtp_client.py` hand it over.
"""
