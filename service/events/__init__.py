"""The event log, for streams and webhooks.

To change what an event looks like, edit `event_shapes.py`. To change who gets it, edit `log.py` for players and
`deliveries.py` for hooks; to change how streams wait, edit `dispatcher.py` and `stream.py`.

Do not break this: a reader never skips an event whose transaction commits late (`dispatcher.py`).
"""
