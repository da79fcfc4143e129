// The page of a match: the board and the choice on it, what the others do meanwhile, and all that stands beside.

import { Refusal, announce, ask, data, find, make, narrowPage, say, sheetPage, tablePath } from "./page.js";
import { Board } from "./board.js";
import { Choice, askMatch } from "./choice.js";
import { followEvents, keepAsking, showTurns } from "./live.js";
import { explainFailure, sendLines } from "./send.js";
import { Replay } from "./replay.js";
import { startOrders } from "./orders.js";
import { startTalk } from "./talk.js";
import { startMore } from "./more.js";
import { parseSvg } from "./svg.js";
import { readOptions } from "./options.js";
import { showTimes } from "./times.js";
import { advance } from "./wishes.js";

const HASH_DIGITS = 12;
/** @type {any} the table that the page shows, as the server tells it */
let now = data.now;
const frame = find(narrowPage.matches ? "#board .frame.narrow" : "#board .frame.wide");
for (const other of document.querySelectorAll("#board .frame")) if (other !== frame) other.remove();
const panel = document.querySelector("#turn");
const board = new Board(frame, data.board, {
  touch: (mark) => choice?.touch(mark),
  undo: () => choice?.undo(),
});
const choice = panel instanceof HTMLElement && data.seat !== null && now.status !== "over"
  ? new Choice(panel, board, { ...askMatch(data.match), send: (lines) => void send(lines) })
  : null;
const replay = new Replay(board, {
  leave: () => void refresh(true),
  head: () => now.head,
  begin: () => panel?.classList.add("past"),
});

/**
 * Sends lines, shows the table that follows, and says what hinders.
 * @param {string[]} lines
 */
async function send(lines) {
  if (!choice?.question) return;
  const { asked, prev } = choice.question;
  choice.refuse("");
  choice.setBusy(true);
  try {
    const answer = await sendLines({ asked, prev, lines });
    choice.clear();
    if (answer.svg) {
      now = { ...now, question: answer.options.question, options: answer.options };
      board.draw(parseSvg(answer.svg), true);
    }
    // Only now is what was listed before really gone: until then nothing may be asked about it.
    await refresh(true, answer.table?.seq);
    choice.busy = false;
    await choice.update();
    if (!answer.table) announce(say("sent"));
    advance(now);
  } catch (error) {
    choice.setBusy(false);
    if (error instanceof Refusal && error.is("question-changed")) await refresh(true);
    choice.refuse(...explainFailure(error, () => void send(lines)));
  }
}

/**
 * Gets the table as it is now, and shows it; nothing happens if it is the one that is shown.
 * @param {boolean} [anyway]
 * @param {number} [drawn] the entry whose table is drawn already
 */
async function refresh(anyway = false, drawn) {
  if (replay.isPast && !anyway) return;
  const found = await ask("GET", tablePath(anyway ? {} : { after: String(now.seq) }));
  if (found) await show(found, drawn);
}

/**
 * @param {any} found
 * @param {number} [drawn]
 */
async function show(found, drawn) {
  // Answers may overtake each other: an older table never takes the place of a newer one.
  if (found.head < now.head) return;
  const ended = found.status === "over" && now.status !== "over";
  const asksAnew = found.question && found.question.asked !== now.question?.asked;
  now = found;
  if (ended) {
    // Scores, rematch and the rest of a finished match come with the page.
    sessionStorage.setItem(`echtra:over:${data.match}`, "1");
    location.reload();
    return;
  }
  panel?.classList.remove("past");
  if (choice?.lines.length && choice.question?.asked === found.question?.asked) choice.real = parseSvg(found.svg);
  else if (found.seq !== drawn) board.draw(parseSvg(found.svg), true);
  if (choice && choice.question?.asked === found.question?.asked) await choice.update();
  else await choice?.ask(found.question, found.options);
  showWords(found);
  if (asksAnew) announce([...found.since, found.says].join(" "));
}

/** @param {any} found */
function showWords(found) {
  for (const place of document.querySelectorAll(".says")) place.textContent = found.says;
  const since = find("#since");
  since.hidden = found.since.length === 0;
  find("ul", since).replaceChildren(...found.since.map((/** @type {string} */ told) => make("li", {}, told)));
  find("#story-items").replaceChildren(...found.story.map((/** @type {[number, string]} */ [at, told]) => (
    make("li", {}, make("a", { href: `?at=${at}` }, told))
  )));
  find("#as-text").textContent = found.text;
  find("#log-entries").textContent = found.head;
  find("#log-digits").textContent = found.hash.slice(0, HASH_DIGITS);
  find("#log-time time").setAttribute("datetime", new Date(found.at).toISOString());
  for (const [seat, row] of document.querySelectorAll("#seats-list > li").entries()) {
    const { asked, due, until } = found.seats[seat] ?? {};
    row.classList.toggle("asked", asked);
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
  replay.show(found);
}

/** Asks how many turns wait in all matches, since another one asks. */
async function countTurns() {
  now.turns = (await ask("GET", tablePath({}))).turns;
  showTurns(now.turns.count);
  showNext();
}

/** Where to go after a turn: to the next one, most urgent first. */
function showNext() {
  const { others, next } = now.turns;
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("#next-turn"));
  if (!link) return;
  link.hidden = !next || now.question !== null;
  link.href = next ?? "";
  link.textContent = say("next_turn", { count: others });
}

/** The picture of the other form, when a page becomes a phone's or the other way round. */
narrowPage.addEventListener("change", () => {
  board.frame.classList.toggle("narrow", narrowPage.matches);
  board.frame.classList.toggle("wide", !narrowPage.matches);
  if (replay.isPast) void replay.go(replay.at);
  else void refresh(true);
});

/** The height of the sheet, so that nothing that has the focus lies under it. */
function measureSheet() {
  if (!(panel instanceof HTMLElement)) return;
  const watch = new ResizeObserver(() => {
    const list = /** @type {HTMLElement | null} */ (panel.querySelector(".list[open] .moves"));
    const high = sheetPage.matches ? panel.offsetHeight - (list?.offsetHeight ?? 0) : 0;
    document.documentElement.style.setProperty("--sheet", `${Math.min(high, innerHeight / 2)}px`);
  });
  watch.observe(panel);
}

const orders = choice ? startOrders({ now: () => now, refresh: () => refresh(true), board: () => board }) : null;
showTimes();
measureSheet();
startMore({ refresh: () => refresh(true) });
const talk = data.seat === null ? null : startTalk();
if (choice && panel instanceof HTMLElement) {
  const list = /** @type {HTMLDetailsElement} */ (find(".list", panel));
  list.open = !sheetPage.matches;
  now.options = readOptions(now.options);
  void choice.ask(replay.isPast ? null : now.question, now.options).then(() => panel.classList.add("ready"));
} else board.show(new Set(), []);
orders?.show(now);
showTurns(now.turns.count);
showNext();
if (now.status !== "over") {
  if (data.player) {
    followEvents((event) => {
      if (event.match === data.match || event.type === "stream.opened") void refresh().catch(() => undefined);
      else if (event.type === "turn.ready") void countTurns().catch(() => undefined);
      if (event.match === data.match && /^(note|offer)/.test(event.type)) void talk?.load();
    });
  }
  keepAsking(() => refresh());
}
if (sessionStorage.getItem(`echtra:over:${data.match}`)) {
  sessionStorage.removeItem(`echtra:over:${data.match}`);
  announce(find(".says").textContent ?? "");
}
