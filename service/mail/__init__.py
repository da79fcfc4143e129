"""Letters in and out.

In: a door (`worker/door.py`, `worker/imap.py`, `service/api/inbound.py`) gives a raw message to `inbox.take`, which
keeps it at once; the worker then calls `inbox.read`. There `mime` takes the message apart (with `html` and `flowed`),
`sender` and `verdict` say who sent it, `addresses` which question it answers, `reply` what is new in it (by the `marks`
of mail programs), and `commands` what that asks for. `post` checks all this in one order and gives it to `place` (a
table), `joining` (invitations, new addresses) or `front` (the service itself), which act through the same doors as
REST. What comes of it is an `outcome`, and `answers` queues what is to be told.
"""
