"""The queue of jobs, wake-ups, and the health of workers."""
