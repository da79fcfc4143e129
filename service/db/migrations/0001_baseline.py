"""The schema of Echtra 1.0, without the triggers that make logs append-only (`service/db/append_only.py`)."""

from __future__ import annotations

from service.db.connection import db, is_postgres

TABLES = """
create table player (
  id text primary key, name text not null, skeleton text not null default '', address text unique, confirmed_at bigint,
  language text not null, zone text not null, letters text not null, digest_hour int not null, quiet_weekends boolean not null,
  owner text references player (id), demo boolean not null, bounced_at bigint, bounces int not null,
  created_at bigint not null, deleted_at bigint, auto text not null default '');
create index player_skeleton on player (skeleton);
create index player_bounced on player (bounced_at) where bounced_at is not null;
create index player_demo on player (id) where demo;
create table token (
  id text primary key, player text not null references player (id), name text not null, hash text not null,
  scopes text not null, created_at bigint not null, used_at bigint, revoked_at bigint, expires_at bigint,
  session boolean not null default false);
create index token_player on token (player);
create table signing_key (
  player text not null references player (id), id text not null, x text not null, label text not null,
  created_at bigint not null, revoked_at bigint, seats boolean not null default false, token text, replaced_at bigint,
  claimed_at bigint, primary key (player, id));
create table code (
  id text primary key, purpose text not null, player text references player (id), address text not null, hash text not null,
  payload text not null, tries int not null, created_at bigint not null, until bigint not null, used_at bigint);
create index code_address on code (address);
create index code_until on code (until);
create table unasked (address text not null, at bigint not null, primary key (address, at));
create table server_key (id text primary key, private text not null, x text not null, since bigint not null, until bigint);
create table secret (name text primary key, value text not null);
create table idempotency (
  player text not null, key text not null, print text not null, status int not null, headers text not null, body text not null,
  at bigint not null, primary key (player, key));
create index idempotency_at on idempotency (at);
create table consent (
  player text not null references player (id), organiser text not null references player (id), at bigint not null,
  primary key (player, organiser));
create table leave (
  id text primary key, player text not null references player (id), first_day text not null, last_day text not null,
  at bigint not null, cancelled_at bigint);
create index leave_player on leave (player);

create table match (
  id text primary key, game text not null, revision int not null, seats int not null, options text not null, moves text not null,
  clock text not null, policy text not null, visibility text not null, link text, status text not null, title text not null,
  seed text not null, seed_hash text not null, beacon text not null, created_by text not null references player (id),
  created_at bigint not null, starts_at bigint, expires_at bigint not null, started_at bigint, ended_at bigint, rematch_of text,
  arbiter text, leave_allowed boolean not null, rated boolean not null default true, head_seq int not null, head_hash text not null,
  head_at bigint not null, resolved_seq int not null, outage_ms bigint not null, outage_at bigint not null default 0,
  pairing text, counted boolean not null default false, timed boolean not null default false);
create index match_open on match (status, visibility, created_at);
create index match_unresolved on match (id) where resolved_seq < head_seq;
create index match_changed on match (head_at);
create index match_created_by on match (created_by);
create index match_arbiter on match (arbiter) where arbiter is not null;
create index match_listed on match (created_at desc, id) where visibility = 'open';
create unique index match_pairing on match (pairing) where pairing is not null;
create index match_uncounted on match (ended_at, id) where status = 'over' and not counted;
create index match_untimed on match (ended_at, id) where status = 'over' and not timed;
create table seat (
  match text not null references match (id), seat int not null, player text references player (id), bot text,
  nonce text not null, keys text not null, joined_at bigint, receipt text, muted boolean not null, letters text,
  asked int, asked_at bigint, due_at bigint, promised bigint, bank bigint not null, excuses int not null, paused_at bigint,
  bounce_used boolean not null, reminded text not null, told_seq int not null, confirm boolean not null, since bigint,
  turns int not null default 0, auto text not null default '', primary key (match, seat));
create index seat_player on seat (player, asked);
create index seat_due on seat (due_at) where due_at is not null;
create index seat_paused on seat (paused_at) where paused_at is not null;
create index seat_asked on seat (match) where asked is not null;
create table invitation (
  id text primary key, match text not null references match (id), player text references player (id), address text,
  seat int, by_player text not null references player (id), at bigint not null, answered_at bigint, answer text);
create index invitation_player on invitation (player);
create table header (match text primary key references match (id), hash text not null, body text not null);
create table entry (
  match text not null references header (match), seq int not null, seat int not null, at bigint not null, made_by text not null,
  line text not null, commitment text not null, prev text not null, hash text not null,
  sealed text not null, reveals int not null, owner int not null, shown text not null,
  asked int, n int, key text, signature text, signed_text text, orders boolean, mail text,
  primary key (match, seq));
create table submission (
  id text primary key, match text not null references match (id), seat int not null, player text not null, channel text not null,
  asked int not null, prev text not null, orders boolean not null, at bigint not null, body text not null,
  made int not null, total int not null, status text not null, why text not null, receipt text not null,
  reason text not null default '');
create index submission_waiting on submission (match, seat) where status = 'waiting';
create table snapshot (match text primary key references match (id), seq int not null, hash text not null, shape text not null, state text not null);
create table note (
  id {serial}, match text not null references match (id), player text, seat int, seq int not null, at bigint not null, text text not null);
create index note_match on note (match, id);
create table branch (
  id text primary key, match text not null references match (id), seat int not null, player text not null references player (id),
  seq int not null, title text not null, steps text not null, at bigint not null);
create index branch_match on branch (match, player);
create index branch_player on branch (player);
create table offer (
  id text primary key, match text not null references match (id), kind text not null, by_seat int not null, at bigint not null,
  agreed text not null, status text not null, closed_at bigint);
create index offer_match on offer (match, status);

create table tournament (
  id text primary key, name text not null, owner text not null references player (id), game text not null, state text not null,
  listed boolean not null, title text not null, document text not null, document_hash text not null, seed text not null,
  deals text not null, created_at bigint not null, opens_at bigint, closes_at bigint, head_seq int not null, head_hash text not null,
  next_at bigint, started_at bigint, ended_at bigint, link text, unique (owner, name));
create index tournament_due on tournament (next_at) where next_at is not null;
create index tournament_listed on tournament (created_at) where listed;
create table tournament_header (tournament text primary key references tournament (id), hash text not null, body text not null);
create table tournament_document (
  tournament text not null references tournament (id), hash text not null, document text not null, at bigint not null,
  primary key (tournament, hash));
create table tournament_entry (
  tournament text not null references tournament_header (tournament), seq int not null, at bigint not null, line text not null,
  prev_hash text not null, hash text not null, primary key (tournament, seq));
create index tournament_entry_ruling on tournament_entry (tournament, seq) where substr(line, 1, 7) = 'ruling ';
create index tournament_entry_leaving on tournament_entry (tournament, seq) where substr(line, 1, 7) in ('withdra', 'exclude');
create table entrant (
  tournament text not null references tournament (id), player text not null references player (id), status text not null,
  number int, rating int, nonce text not null, entered_seq int not null, primary key (tournament, player));
create index entrant_player on entrant (player);
create index entrant_number on entrant (tournament, number);
create index entrant_status on entrant (tournament, status, entered_seq);
create index entrant_entered on entrant (tournament, entered_seq);
create table stage (
  tournament text not null references tournament (id), place int not null, name text not null, format text not null,
  state text not null, standings text not null, standings_seq int not null, primary key (tournament, place));
create table round (
  tournament text not null references tournament (id), stage text not null, number int not null, state text not null,
  starts_at bigint, ends_at bigint, started_at bigint, over_at bigint, repeats int not null default 0,
  primary key (tournament, stage, number));
create index round_state on round (tournament, state);
create table pairing (
  id text primary key, tournament text not null references tournament (id), stage text not null, round int not null,
  place int not null, section int not null, seats text not null, void boolean not null, result text not null);
create index pairing_place on pairing (tournament, stage, round, place);
create table pairing_seat (
  pairing text not null references pairing (id), seat int not null, player text not null, primary key (pairing, seat));
create index pairing_seat_player on pairing_seat (player);
create table challenge (
  id text primary key, tournament text not null references tournament (id), stage text not null,
  challenger text not null references player (id), challenged text not null references player (id), state text not null,
  made_at bigint not null, answer_by bigint not null, answered_at bigint, pairing text);
create index challenge_tournament on challenge (tournament, state, made_at);
create index challenge_pairing on challenge (pairing) where pairing is not null;
create unique index challenge_open on challenge (tournament, challenger, challenged) where state = 'open';
create table ruling_text (
  tournament text not null references tournament (id), seq int not null, salt text not null, text text not null,
  primary key (tournament, seq));
create table tournament_invitation (
  id text primary key, tournament text not null references tournament (id), player text references player (id), address text,
  by_player text not null references player (id), at bigint not null);
create index tournament_invitation_player on tournament_invitation (player);
create index tournament_invitation_maker on tournament_invitation (by_player, at);
create unique index tournament_invitation_guest on tournament_invitation (tournament, player) where player is not null;
create unique index tournament_invitation_address on tournament_invitation (tournament, address) where address is not null;
create table place_offer (
  tournament text not null references tournament (id), player text not null references player (id), match text not null,
  seat int not null, asked_at bigint not null, until bigint not null, open boolean not null, answer text not null,
  primary key (tournament, player, match));
create table tournament_message (
  id text primary key, tournament text not null references tournament (id), author text not null references player (id),
  at bigint not null, text text not null);
create index tournament_message_at on tournament_message (tournament, at);
create table tournament_draft (player text primary key references player (id), answers text not null, document text not null, at bigint not null);
create table calendar_address (player text primary key references player (id), hash text not null unique, salt text not null, at bigint not null);
create table calendar_round (
  tournament text not null references tournament (id), stage text not null, number int not null, starts_at bigint not null, ends_at bigint,
  sequence int not null, cancelled boolean not null, at bigint not null, primary key (tournament, stage, number));
create table fair_play_look (id text primary key, tournament text not null references tournament (id), player text not null, at bigint not null);
create index fair_play_look_tournament on fair_play_look (tournament, at);
create table rating (
  match text not null references match (id), player text not null references player (id), game text not null, seat int not null,
  place int not null, ended_at bigint not null, mu int not null, sigma int not null, matches int not null, primary key (match, player));
create index rating_player on rating (player, game, matches);
create index rating_game on rating (game, ended_at);
create table conduct (
  match text not null references match (id), player text not null references player (id), at bigint not null, answers int not null,
  late int not null, finished boolean, primary key (match, player));
create index conduct_player on conduct (player, at);
create table bot_result (
  match text primary key references match (id), game text not null, opponent text not null, halves int not null);
create index bot_result_opponent on bot_result (game, opponent);
create table answer_times (
  match text not null references match (id), player text not null references player (id), game text not null, seats int not null,
  people int not null, ended_at bigint not null, turns int, times text not null, primary key (match, player));
create index answer_times_player on answer_times (player, ended_at);
create index answer_times_game on answer_times (game, ended_at);

create table job (
  id {serial}, topic text not null, key text not null unique, payload text not null, address text, due_at bigint not null,
  rank int not null default 0, attempts int not null, lost int not null default 0, woken_until bigint not null,
  lease_until bigint not null, lease_token text not null, done_at bigint, dead_at bigint, last_error text not null);
create index job_rank on job (rank, due_at) where done_at is null and dead_at is null;
create index job_topic on job (topic) where done_at is null and dead_at is null;
create index job_address on job (address) where address is not null;
create index job_done on job (done_at) where done_at is not null;
create index job_dead on job (dead_at) where dead_at is not null;
create table heartbeat (worker text primary key, at bigint not null, started_at bigint not null);
create table alarm (kind text primary key, since bigint not null, last_at bigint not null, count int not null, detail text not null);
create table probe (name text primary key, at bigint not null);
create table backup (
  file text not null, made_at bigint not null, bytes bigint not null, digest text not null, checked_at bigint,
  fault text not null default '', primary key (file, made_at));
create index backup_made on backup (made_at);
create table event (
  id {serial}, player text, match text, seat int, seq int not null, type text not null, at bigint not null, tournament text);
create index event_player on event (player, id);
create index event_match on event (match, id);
create index event_at on event (at);
create table hook (
  id text primary key, player text not null references player (id), match text, url text not null, events text not null,
  include text not null, secret text not null, old_secret text not null, old_until bigint, private text not null,
  created_at bigint not null, failing_since bigint, disabled_at bigint, why text not null, deleted_at bigint,
  lease_until bigint not null default 0, lease_token text not null default '', last_ms int not null default 0);
create index hook_player on hook (player);
create index hook_match on hook (match);
create index hook_disabled on hook (id) where disabled_at is not null;
create table delivery (
  id text primary key, hook text not null references hook (id), event bigint not null, match text not null,
  type text not null, seat int, seq int not null, at bigint not null, attempts int not null, due_at bigint not null,
  status text not null, code int, answer text not null, sent_at bigint, tournament text);
create index delivery_queue on delivery (hook, match, event) where status = 'queued';
create index delivery_next on delivery (hook, due_at) where status = 'queued';
create index delivery_hook on delivery (hook, at);
create index delivery_due on delivery (due_at) where status = 'queued';
create index delivery_at on delivery (at);
create table attempt (
  id {serial}, delivery text not null references delivery (id), at bigint not null, code int, answer text not null, ms int not null);
create index attempt_delivery on attempt (delivery);
create index attempt_at on attempt (at);

create table letter (
  id text primary key, player text, address text not null, kind text not null, match text, seat int, seq int not null,
  message_id text not null unique, subject text not null, return_path text not null, state text not null, created_at bigint not null,
  accepted_at bigint, answered_at bigint, bounced_at bigint, why text not null, mime {blob}, digest text not null default '',
  refused_at bigint, refusals int not null default 0);
create index letter_player on letter (player, created_at);
create index letter_match on letter (match, seat, created_at);
create index letter_created on letter (created_at);
create index letter_waiting on letter (created_at) where state in ('queued', 'deferred');
create index letter_refused on letter (refused_at) where refused_at is not null;
create index letter_accepted on letter (accepted_at) where accepted_at is not null;
create index letter_bounced on letter (bounced_at) where bounced_at is not null;
create index letter_kept on letter ((coalesce(accepted_at, bounced_at, created_at))) where mime is not null;
create table picture (hash text primary key, png {blob} not null);
create table letter_picture (
  letter text not null references letter (id), picture text not null references picture (hash), primary key (letter, picture));
create index letter_picture_picture on letter_picture (picture);
create table digest_letter (
  key text primary key, player text not null references player (id), payload text not null, at bigint not null,
  told bigint not null);
create index digest_letter_player on digest_letter (player, told);
create table reply (
  hash text primary key, match text, seat int, asked int not null, player text, kind text not null, payload text not null,
  letter text, created_at bigint not null, until bigint not null);
create index reply_until on reply (until);
create table inbox (
  id text primary key, received bigint not null, door text not null, sender text not null, recipient text not null, mime {blob} not null,
  digest text not null, verdict text not null, state text not null, player text, match text, seat int, result text not null,
  print text, read_at bigint);
create index inbox_state on inbox (state, received);
create index inbox_seat on inbox (match, seat, state);
create index inbox_player on inbox (player) where player is not null;
create index inbox_received on inbox (received);
create index inbox_unread on inbox (received) where read_at is null
"""


def up() -> None:
    """Create every table and index."""
    kinds = {
        "serial": "bigserial primary key" if is_postgres() else "integer primary key autoincrement",
        "blob": "bytea" if is_postgres() else "blob",
    }
    for statement in TABLES.format(**kinds).split(";\n"):
        if statement.strip():
            db.execute_sql(statement)
