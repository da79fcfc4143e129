"""The queue of jobs, wake-ups, and the health of workers.

To add a job, declare its payload in the `job_payloads.py` of the room that queues it, and its handler in
`worker/schedule.py`. To keep rows for another time, edit `retention.py`; to show another figure, edit `metrics.py`.

Do not break this: a job is written in the transaction of its cause, and its handler is safe to repeat.
"""
