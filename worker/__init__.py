"""The worker: resolves moves, runs bots and clocks, sends emails and webhooks. It names no game.

What happens between the commit of a move and the next player's question:

1. **Commit.** The process that accepts the move appends it to the log in one transaction
   (`service.play.match_log.append`); the match is unresolved now (`resolved_seq < head_seq`). If the process dies
   before the commit, there is no move and the client gets no receipt.
2. **Wake-up.** After the commit it calls `service.jobs.wakeups.wake_for_match`. The sender, one thread in every
   process (`wakeups.WakeupSender`), puts the ids that have arrived since its last message into one Celery message
   `echtra.resolve`, at most 50. If the process dies here, or Redis does, the wake-up is lost.
3. **Task.** A Celery worker takes the message and hands the ids to its `tasks.MatchResolver`. One thread resolves;
   ids that arrive meanwhile wait in memory and share its next transaction. If the worker dies here, the wake-up is
   lost.
4. **Resolution.** `service.play.resolve` plays chance, bots and waiting orders until a person must act. One
   transaction writes the entries, clocks and seat caches, the events, the rows of webhook deliveries and the jobs for
   emails, and sets `resolved_seq`. If the worker dies before the commit, nothing of it is written. A slow bot thinks
   in a process of its own (`bot_process`), and its match is resolved again with the answer.
5. **Next question.** After that commit the worker's sender publishes on the Redis channel `echtra:events`, sends a
   Celery message `echtra.job` with the ids of new jobs, and `echtra.sweep` if there are new deliveries.
   - *Event streams and long polls.* Every web process subscribes to the channel. Its dispatcher
     (`service.events.dispatcher`) reads the new events once and gives them to the players who wait. If the message is
     lost, it finds them itself: it looks once a second while anybody waits.
   - *Emails.* A worker claims the job by a lease of 60 seconds and sends the email outside any transaction. If it
     dies, the job is due again after the lease.
   - *Webhooks.* A worker's sweeper looks at once and sends what is due under a lease of the hook.

**The sweep** finds whatever a lost wake-up leaves behind (`sweeper.Sweeper`, a thread in every worker and in `echtra
beat`). It sleeps until the next thing is due, at most two seconds. An unresolved match or a due job is found by the
next look, and a worker is woken for it; after five more seconds in vain the sweeper resolves the match itself. So a
lost wake-up costs about two seconds, a killed worker about five, and nothing else. Clocks, tournaments, deliveries
and starts need no wake-up: the same look reads when the next one is due.

**Without Redis** web and worker are one process. Its sender resolves matches itself, jobs pass through Celery's broker
in memory (`memory_broker`), and the dispatcher is woken directly. With PostgreSQL and no Redis, other processes find
new events by their look once a second.

**While no worker runs** messages would pile up, so senders stop once 1,000 wait. They hold only ids; a worker that
starts finds everything by its first sweep.

To add a job or a periodic task, edit `schedule.py`. To change how often the worker looks, edit `sweeper.py`. Do not
break this: every task may be lost, repeated or run twice at once.
"""
