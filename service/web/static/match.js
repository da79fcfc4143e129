// The page of a match: the board and the draft on it, live changes, and the panels beside it.

import { Refusal, announce, ask, data, find, keep, make, narrowPage, pictureForm, recall, say, sheetPage, tablePath } from "./page.js";
import { Board } from "./board.js";
import { MoveDraft, askMatch, readOptions } from "./move_draft.js";
import { followEvents, keepAsking, showTurns } from "./event_stream.js";
import { explainFailure, sendLines } from "./send.js";
import { Replay } from "./replay.js";
import { parseSvg } from "./svg.js";
import { showTimes } from "./times.js";
import { advance, chime } from "./preferences.js";

/** @typedef {[at: number, told: string, seat: number]} ToldTurn A turn in words, with its last entry. */

const HASH_DIGITS = 12;
/** The scale at which marks of 28 units are still 24 pixels high. */
const LEAST_SCALE = 0.86;
/** @type {any} the table that the page shows, as sent by the server */
let now = data.now;
/** Number of requests for the table, and the number of the request whose answer is shown. */
let asks = 0, shown = 0;
/** The latest entry of an event that arrived while lines were being sent; their answer usually includes it. */
let missed = 0;
const frame = find(narrowPage.matches ? "#board .frame.narrow" : "#board .frame.wide");
for (const other of document.querySelectorAll("#board .frame")) if (other !== frame) other.remove();
const panel = document.querySelector("#turn");
const board = new Board(frame, data.board, {
  touch: (mark) => draft?.touch(mark),
  undo: () => draft?.undo(),
});
const draft = panel instanceof HTMLElement && data.seat !== null && now.status !== "over"
  ? new MoveDraft(panel, board, { ...askMatch(data.match), send: (lines) => void send(lines) })
  : null;
const replay = new Replay(board, {
  leave: () => void refresh(true),
  head: () => now.head,
  begin: () => {
    panel?.classList.add("past");
    // The choice is stored as a draft and restored with the question.
    if (draft?.question) void draft.ask(null);
  },
});

/**
 * Sends lines and shows the resulting table, or what went wrong. A retry answers the same question.
 * @param {string[]} lines
 * @param {import("./move_draft.js").Question | null} [question]
 */
async function send(lines, question = draft?.question) {
  if (!draft || !question || draft.busy) return;
  draft.refuse("");
  draft.setBusy(true);
  const form = pictureForm();
  let changed = false;
  /** @type {[string, ...HTMLElement[]]} */
  let hindrance = [""];
  try {
    const answer = await sendLines({ asked: question.asked, prev: question.prev, lines });
    draft.clear();
    if (answer.table) await take(answer);
    // Polling shows the consequences later: a move that was made must never be reported as failed.
    await refresh(true, { own: true, drawn: form === pictureForm() ? answer.table?.seq : undefined }).catch(() => undefined);
    if (!answer.table) announce(say("sent"));
    advance(now);
  } catch (error) {
    draft.unsure = !(error instanceof Refusal);
    changed = error instanceof Refusal && error.is("question-changed");
    hindrance = explainFailure(error, () => void send(lines, question));
  }
  draft.busy = false;
  if (changed || missed > now.head) await refresh(true).catch(() => undefined);
  await draft.update();
  if (hindrance[0] && (changed || draft.question?.asked === question.asked)) draft.refuse(...hindrance);
}

/**
 * Shows the table, the question and the picture from the answer to a move; the texts follow.
 * @param {any} answer
 */
async function take({ table, options, svg }) {
  now = { ...now, head: Math.max(now.head, table.seq), question: options.question, options };
  if (replay.isPast) return;
  board.draw(parseSvg(svg), true);
  await draft?.ask(options.question, options);
}

/**
 * Handles an event of this match. Most are about entries that the page already shows, as after our own move; only
 * a newer one triggers a request. While lines are being sent, their answer comes first.
 * @param {import("./event_stream.js").HouseEvent} event
 */
function hearEvent({ type, seq = Infinity }) {
  if (type.startsWith("note") || type.startsWith("offer")) void notes?.load().catch(() => undefined);
  const isMove = type === "turn.ready" || type === "match.moved";
  if (isMove && draft?.busy) missed = Math.max(missed, seq);
  else if (!isMove || seq > now.head) void refresh().catch(() => undefined);
}

/**
 * Gets the current table and shows it, unless it is shown already. While lines are being sent only their `own` answer
 * shows a table: the same table from the stream would look as if somebody else had moved.
 * @param {boolean} [anyway]
 * @param {{ own?: boolean, drawn?: number }} [after] the entry whose table is `drawn` already
 */
async function refresh(anyway = false, { own = false, drawn } = {}) {
  if (replay.isPast && !anyway) return;
  const place = ++asks;
  const found = await ask("GET", tablePath(anyway ? {} : { after: String(now.seq) }));
  if (!found) return;
  const isNew = found.head > now.head;
  if (isNew && draft?.busy && !own) missed = Math.max(missed, found.head);
  // Answers may arrive out of order: an older one never replaces a newer one.
  else if (isNew || (found.head === now.head && place > shown)) {
    shown = Math.max(shown, place);
    await show(found, drawn);
  }
}

/**
 * @param {any} found
 * @param {number} [drawn]
 */
async function show(found, drawn) {
  const ended = found.status === "over" && now.status !== "over";
  const asksAnew = found.question && found.question.asked !== now.question?.asked;
  now = found;
  if (ended) {
    // Scores, rematch and the rest of a finished match need the whole page.
    keep(`echtra:over:${data.match}`, "1");
    location.reload();
    return;
  }
  if (!replay.isPast) await showBoard(found, drawn);
  showWords(found);
  if (asksAnew) chime();
  if (asksAnew) announce([...found.since.map((/** @type {ToldTurn} */ [, told]) => told), found.says].join(" "));
}

/**
 * @param {any} found
 * @param {number} [drawn]
 */
async function showBoard(found, drawn) {
  panel?.classList.remove("past");
  if (draft?.lines.length && draft.question?.asked === found.question?.asked) draft.real = parseSvg(found.svg);
  else if (found.seq !== drawn) board.draw(parseSvg(found.svg), true);
  const stays = draft?.taker ? !found.question : draft?.question?.asked === found.question?.asked;
  if (stays) await draft?.update();
  else await draft?.ask(found.question, found.options);
}

/** @param {any} found */
function showWords(found) {
  for (const place of document.querySelectorAll(".says:not(#scores)")) place.textContent = found.says;
  showTask(found);
  const since = find("#since");
  since.hidden = found.since.length === 0;
  find("ul", since).replaceChildren(...makeRows(found.since, found.seats));
  find("#story-items").replaceChildren();
  tell(found);
  find("#as-text").textContent = found.text;
  find("#log-entries").textContent = found.head;
  find("#log-digits").textContent = found.hash.slice(0, HASH_DIGITS);
  find("#log-time time").setAttribute("datetime", new Date(found.at).toISOString());
  for (const [seat, row] of document.querySelectorAll("#seats-list > li").entries()) {
    const { asked, due, until, score } = found.seats[seat] ?? {};
    row.classList.toggle("asked", asked);
    const points = find(".score", /** @type {HTMLElement} */ (row));
    points.hidden = score === null;
    points.textContent = String(score).replace("-", "−");
    find(".to-play", /** @type {HTMLElement} */ (row)).hidden = !asked;
    const time = find("time", /** @type {HTMLElement} */ (row));
    time.hidden = !due;
    if (due) time.setAttribute("datetime", due);
    time.textContent = until;
  }
  showTimes();
  showTurns(found.turns.count);
  showNext();
  orders?.show(now);
  planning?.follow(now);
  replay.show(found);
}

/**
 * Returns turns as rows with the signs of their seats.
 * @param {ToldTurn[]} turns
 * @param {{ sign: string }[]} seats
 */
function makeRows(turns, seats) {
  return turns.map(([at, told, seat]) => make(
    "li", {},
    ...(seat < 0 ? [] : [make("span", { class: `sign seat-${seat % 5}`, "aria-hidden": "true" }, seats[seat]?.sign ?? "")]),
    make("a", { href: `?at=${at}` }, told),
  ));
}

/**
 * Adds the chapters of a story below those that are shown, and leads to earlier ones.
 * @param {{ story: { title: string, turns: ToldTurn[] }[], seats: { sign: string }[], earlier: number | null }} found
 */
function tell({ story, seats, earlier }) {
  const items = find("#story-items");
  const last = [...items.querySelectorAll("h3")].at(-1)?.textContent;
  for (const { title, turns } of story) {
    if (title && title !== last) items.append(make("h3", {}, title));
    items.append(make("ol", { class: "story" }, ...makeRows(turns, seats)));
  }
  const link = /** @type {HTMLAnchorElement} */ (find("#earlier"));
  link.hidden = !earlier;
  link.href = `?until=${earlier}`;
}

/**
 * Shows what the reader has to do now, or whose turn it is.
 * @param {any} found
 */
function showTask({ task, says }) {
  const line = /** @type {HTMLElement | null} */ (document.querySelector("#task"));
  if (!line) return;
  const phase = find(".phase", line);
  phase.hidden = !task;
  phase.textContent = task?.phase ?? "";
  find(".todo", line).textContent = task?.sentence ?? says;
}

/** Outlines what others did since the reader's last move, on a page that was just opened. */
async function outlineLastMove() {
  const { since, since_start: start, seq } = now;
  if (!since.length || replay.isPast) return;
  const found = await ask("GET", tablePath({ at: String(start) }));
  if (now.seq === seq && !replay.isPast && !draft?.lines.length) board.outline(parseSvg(found.svg));
}

/** Requests the number of turns in all matches. */
async function countTurns() {
  now.turns = (await ask("GET", tablePath({}))).turns;
  showTurns(now.turns.count);
  showNext();
}

/** Updates the link to the next turn, most urgent first. */
function showNext() {
  const { others, next } = now.turns;
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("#next-turn"));
  if (!link) return;
  link.hidden = !next || now.question !== null;
  link.href = next ?? "";
  link.textContent = say("next_turn", { count: others });
}

/** Swaps the picture when the page becomes narrow or wide. */
narrowPage.addEventListener("change", () => {
  board.frame.classList.toggle("narrow", narrowPage.matches);
  board.frame.classList.toggle("wide", !narrowPage.matches);
  if (replay.isPast) void replay.go(replay.at);
  else void refresh(true).then(() => draft?.redraw()).catch(() => undefined);
});

/**
 * Publishes the heights above the board and of the sheet: the board fits between them, and no focus is covered. A board
 * that would become too small to be touched keeps its width, and the page scrolls.
 */
function measureRoom() {
  const watch = new ResizeObserver(() => {
    const list = /** @type {HTMLElement | null} */ (document.querySelector("#turn .list[open] .moves"));
    const high = sheetPage.matches && panel instanceof HTMLElement ? panel.offsetHeight - (list?.offsetHeight ?? 0) : 0;
    const sheet = Math.min(high, innerHeight / 2), above = frame.getBoundingClientRect().top + scrollY;
    const style = document.documentElement.style;
    style.setProperty("--sheet", `${sheet}px`);
    style.setProperty("--above", `${above}px`);
    frame.classList.toggle("tall", innerHeight - above - sheet < LEAST_SCALE * board.picture.viewBox.baseVal.height);
  });
  for (const part of document.querySelectorAll("#turn, .players, .task, #news, .frame")) watch.observe(part);
}

/** @type {ReturnType<typeof import("./orders.js").startOrders> | null} */
let orders = null;
/** @type {ReturnType<typeof import("./planning.js").startPlanning> | null} */
let planning = null;
/** @type {ReturnType<typeof import("./notes.js").startNotes> | null} */
let notes = null;

/** Loads the panels beside the board, only after the board is playable, so that no move waits for them. */
async function startSide() {
  const [rare, talk, lines, plans] = await Promise.all([
    import("./rare_actions.js"), import("./notes.js"), import("./orders.js"), import("./planning.js"),
  ]);
  rare.startRareActions({ refresh: () => refresh(true) });
  if (data.seat !== null) notes = talk.startNotes();
  if (draft) orders = lines.startOrders(draft, () => refresh(true));
  if (draft) planning = plans.startPlanning(draft, () => refresh(true));
  orders?.show(now);
  planning?.follow(now);
  removeEventListener("click", pressLater, true);
}

/**
 * Repeats a click on a button whose script was not loaded yet.
 * @param {Event} event
 */
function pressLater(event) {
  const button = event.target instanceof Element ? event.target.closest(".side button, .side input[type=checkbox], #rematch button") : null;
  if (!(button instanceof HTMLElement)) return;
  event.preventDefault();
  event.stopPropagation();
  void side.then(() => button.click());
}

showTimes();
measureRoom();
if (draft && panel instanceof HTMLElement) {
  const list = /** @type {HTMLDetailsElement} */ (find(".list", panel));
  list.open = false;  // without scripts it stays open
  const toggle = () => { list.open = !list.open; };
  sheetPage.addEventListener("change", () => { list.open = false; });
  addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
    const typing = target instanceof Element && target.matches("input, textarea, select");
    if (key === "l" && !typing && !ctrlKey && !metaKey && !altKey && !list.hidden) toggle();
  });
  now.options = readOptions(now.options);
  void draft.ask(replay.isPast ? null : now.question, now.options).then(() => panel.classList.add("ready"));
} else board.show(new Set(), []);
void outlineLastMove().catch(() => undefined);
find("#earlier").addEventListener("click", (event) => {
  event.preventDefault();
  const until = new URL(/** @type {HTMLAnchorElement} */ (event.target).href).searchParams.get("until") ?? "";
  const count = document.querySelectorAll("#story-items a").length;
  void ask("GET", tablePath({ until })).then((found) => {
    tell(found);
    /** @type {HTMLElement | undefined} */ (document.querySelectorAll("#story-items a")[count])?.focus();
  }).catch(() => undefined);
});
addEventListener("click", pressLater, true);
const side = startSide();
showTurns(now.turns.count);
showNext();
if (now.status !== "over") {
  if (data.player) {
    followEvents((event) => {
      if (event.match === data.match) hearEvent(event);
      else if (event.type === "turn.ready") void countTurns().catch(() => undefined);
      else if (event.type.startsWith("stream.")) void Promise.all([refresh(), notes?.load()]).catch(() => undefined);
    });
  }
  keepAsking(() => refresh());
}
if (recall(`echtra:over:${data.match}`)) {
  keep(`echtra:over:${data.match}`, null);
  announce(find(".says").textContent ?? "");
}
