"""The first tables: accounts, matches and their log, jobs, letters and hooks."""

from __future__ import annotations

from service.db.connection import db, is_postgres

TABLES = """
create table player (
  id text primary key, name text not null, address text unique, confirmed_at bigint, language text not null,
  zone text not null, letters text not null, digest_hour int not null, quiet_weekends boolean not null,
  owner text references player (id), demo boolean not null, bounced_at bigint, bounces int not null,
  created_at bigint not null, deleted_at bigint);
create table token (
  id text primary key, player text not null references player (id), name text not null, hash text not null,
  scopes text not null, created_at bigint not null, used_at bigint, revoked_at bigint);
create index token_player on token (player);
create table signing_key (
  player text not null references player (id), id text not null, x text not null, label text not null,
  created_at bigint not null, revoked_at bigint, primary key (player, id));
create table code (
  id text primary key, purpose text not null, player text references player (id), address text not null, hash text not null,
  payload text not null, tries int not null, created_at bigint not null, until bigint not null, used_at bigint);
create index code_address on code (address);
create table unasked (address text not null, at bigint not null, primary key (address, at));
create table server_key (id text primary key, private text not null, x text not null, since bigint not null, until bigint);
create table secret (name text primary key, value text not null);
create table idempotency (
  player text not null, key text not null, print text not null, status int not null, headers text not null, body text not null,
  at bigint not null, primary key (player, key));

create table league (
  id text primary key, title text not null, game text not null, options text not null, seed text not null, seed_hash text not null,
  created_by text not null references player (id), created_at bigint not null, closes_at bigint not null, published_at bigint);
create table match (
  id text primary key, game text not null, revision int not null, seats int not null, options text not null, moves text not null,
  clock text not null, policy text not null, visibility text not null, link text, status text not null, title text not null,
  seed text not null, seed_hash text not null, beacon text not null, league text references league (id),
  created_by text not null references player (id), created_at bigint not null, starts_at bigint, expires_at bigint not null,
  started_at bigint, ended_at bigint, rematch_of text, arbiter text, leave_allowed boolean not null,
  head_seq int not null, head_hash text not null, head_at bigint not null, resolved_seq int not null, told_seq int not null,
  outage_ms bigint not null, outage_at bigint not null default 0);
create index match_open on match (status, visibility, created_at);
create index match_unresolved on match (id) where resolved_seq < head_seq;
create table seat (
  match text not null references match (id), seat int not null, player text references player (id), bot text,
  nonce text not null, keys text not null, joined_at bigint, receipt text, muted boolean not null, letters text,
  asked int, asked_at bigint, due_at bigint, bank bigint not null, excuses int not null, paused_at bigint, bounce_used boolean not null,
  reminded text not null, told_seq int not null, confirm boolean not null, since bigint, turns int not null default 0,
  primary key (match, seat));
create index seat_player on seat (player, asked);
create index seat_due on seat (due_at) where due_at is not null;
create table invitation (
  id text primary key, match text not null references match (id), player text references player (id), address text,
  seat int, by_player text not null references player (id), at bigint not null, answered_at bigint, answer text);
create index invitation_player on invitation (player);

create table header (match text primary key references match (id), hash text not null, body text not null);
create table entry (
  match text not null references header (match), seq int not null, seat int not null, at bigint not null, made_by text not null,
  line text not null, pledge text not null, prev text not null, hash text not null,
  sealed text not null, reveals int not null, owner int not null, shown text not null,
  asked int, n int, key text, signature text, signed_text text, orders boolean, mail text,
  primary key (match, seq));
create table submission (
  id text primary key, match text not null references match (id), seat int not null, player text not null, channel text not null,
  asked int not null, prev text not null, orders boolean not null, at bigint not null, body text not null,
  made int not null, total int not null, status text not null, why text not null, receipt text not null);
create index submission_waiting on submission (match, seat) where status = 'waiting';
create table snapshot (match text primary key references match (id), seq int not null, hash text not null, shape text not null, state text not null);
create table note (
  id {serial}, match text not null references match (id), player text, seat int, seq int not null, at bigint not null, body text not null);
create index note_match on note (match, id);
create table offer (
  id text primary key, match text not null references match (id), kind text not null, by_seat int not null, at bigint not null,
  agreed text not null, status text not null, closed_at bigint);
create index offer_match on offer (match, status);
create table leave (
  id text primary key, player text not null references player (id), first_day text not null, last_day text not null,
  at bigint not null, cancelled_at bigint);
create index leave_player on leave (player);

create table job (
  id {serial}, topic text not null, key text not null unique, payload text not null, due_at bigint not null, attempts int not null,
  hint_until bigint not null, lease_until bigint not null, lease_token text not null, done_at bigint, dead_at bigint, last_error text not null);
create index job_due on job (due_at) where done_at is null and dead_at is null;
create table heartbeat (worker text primary key, at bigint not null, started_at bigint not null);
create table event (
  id {serial}, player text, match text, seat int, seq int not null, type text not null, at bigint not null);
create index event_player on event (player, id);
create index event_match on event (match, id);
create table hook (
  id text primary key, player text not null references player (id), match text, url text not null, events text not null,
  include text not null, secret text not null, old_secret text not null, old_until bigint, private text not null,
  created_at bigint not null, failing_since bigint, disabled_at bigint, why text not null, deleted_at bigint,
  lease_until bigint not null default 0, lease_token text not null default '', last_ms int not null default 0);
create index hook_player on hook (player);
create index hook_match on hook (match);
create table delivery (
  id text primary key, hook text not null references hook (id), event bigint not null, match text not null,
  type text not null, seat int, seq int not null, at bigint not null, attempts int not null, due_at bigint not null,
  status text not null, code int, answer text not null, sent_at bigint);
create index delivery_queue on delivery (hook, match, event) where status = 'queued';
create index delivery_next on delivery (hook, due_at) where status = 'queued';
create index delivery_hook on delivery (hook, at);
create index delivery_due on delivery (due_at) where status = 'queued';
create table attempt (
  id {serial}, delivery text not null references delivery (id), at bigint not null, code int, answer text not null, ms int not null);
create index attempt_delivery on attempt (delivery);
create table letter (
  id text primary key, player text, address text not null, kind text not null, match text, seat int, seq int not null,
  message_id text not null unique, subject text not null, return_path text not null, state text not null, created_at bigint not null,
  accepted_at bigint, answered_at bigint, bounced_at bigint, why text not null, mime {blob});
create index letter_player on letter (player, created_at);
create index letter_match on letter (match, seat, created_at);
create table reply (
  hash text primary key, match text, seat int, asked int not null, player text, kind text not null, payload text not null,
  letter text, created_at bigint not null, until bigint not null);
create table inbox (
  id text primary key, received bigint not null, door text not null, sender text not null, recipient text not null, mime {blob} not null,
  digest text not null, verdict text not null, state text not null, player text, match text, seat int, result text not null, read_at bigint);
create index inbox_state on inbox (state, received);
create index inbox_seat on inbox (match, seat, state);
"""


def up() -> None:
    """Make every table."""
    kinds = {
        "serial": "bigserial primary key" if is_postgres() else "integer primary key autoincrement",
        "blob": "bytea" if is_postgres() else "blob",
    }
    for statement in TABLES.format(**kinds).split(";\n"):
        if statement.strip():
            db.execute_sql(statement)
