"""Players and what belongs to them: tokens, keys, codes, addresses, vacation.

To change how people sign in, edit `sign_in_codes.py` for the browser and `token_codes.py` for the API. To change limits
of unsolicited email, edit `cold_mail_quota.py`.

Do not break this: answers and their timing do not reveal whether an address has an account, and only hashes of secrets
are stored.
"""
