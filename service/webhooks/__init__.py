"""Webhooks: telling other programs what happens.

To change a message, edit `message.py`; to change retries, edit `sender.py`. To change which addresses may be reached,
edit `url_policy.py`.

Do not break this: we connect only to the address that `url_policy.py` has checked, and never follow a redirect.
"""
