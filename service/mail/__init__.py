"""Letters in and out.

In: a door (`incoming/smtp_server.py`, `incoming/imap_poller.py` or the inbound endpoint of the web service) gives a raw
message to `inbox.take`, which keeps it at once; the worker then calls `inbox.read`. There `parse_message` takes the
message apart (with `html_to_text`), `sender_checks` says who sent it, `reply_addresses` which question it answers,
`reply_parser` what is new in it (by the marks of mail programs), and `commands` what that asks for. `router` checks all
this in one order and gives it to `match_replies` (a table), `invitation_replies` (invitations, new addresses) or
`account_commands` (the service itself), which act through the same doors as REST. What comes of it is an outcome, and
`answers` queues what is to be told.
"""
