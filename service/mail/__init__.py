"""Emails in and out.

In: a door (`incoming/smtp_server.py`, `incoming/imap_poller.py` or the inbound endpoint of the web service) gives a raw
message to `inbox.store`, which keeps it at once; the worker then calls `inbox.process`. There `parse_message` takes the
message apart (with `html_to_text`), `sender_checks` says who sent it, `reply_addresses` which question it answers,
`reading` what its writer typed and what that asks for (with `commands`). `router` checks all
this in one order and finds the handler for the kind of address: `match_replies` (matches), `invitation_replies`
(invitations, seats that were given, new addresses), `account_commands` (the service itself) or `bounce_reports`. They
act through the same doors as REST and return an outcome, which `inbox` writes down with the jobs of its answers.

Out: the worker passes each job of an email to `outgoing/deliver.py`. `letters/` composes the email, with the composer
that is registered for the class of the job; `outgoing/build_message.py` renders and stores it; and
`outgoing/smtp_client.py` sends it. `job_payloads.py` has a class for each kind of answer, other rooms for theirs.
"""
