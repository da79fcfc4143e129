// Live turns on every page: their number, the parts of the page that show them, and a notification if
// the page is hidden. The page of an open match reloads when the match starts.

import { followEvents, keepAsking, showTurns } from "./event_stream.js";
import { Refusal, ask } from "./page.js";
import { notifyTurn } from "./preferences.js";

const SILENT = new Set(["note.written", "offer.made", "orders.dropped"]);
const COLLECT_MS = 100;
const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector(".masthead .turns"));
/** @type {string[] | null} the waiting questions at the last update */
let known = null;
let isSignedOut = false;
/** True while a form is being submitted: its answer is the next page, and a reload would interfere. */
let isLeaving = false;
let drawsAnew = false;
let timer = 0;
let queue = Promise.resolve();

/** The part of this page that is reloaded on events; `data-from` has its URL. */
function findPart() {
  return /** @type {HTMLElement | null} */ (document.querySelector("[data-from]"));
}

/** Requests the waiting turns and shows them. */
async function lookForTurns() {
  if (!link || isSignedOut || isLeaving) return;
  const { items } = await ask("GET", "/v1/me/turns?limit=200");
  const found = items.map((/** @type {any} */ turn) => `${turn.match} ${turn.asked}`);
  const before = known;
  const differs = before ? String(before) !== String(found) : Number(link.dataset.turns) !== found.length;
  known = found;
  showTurns(found.length);
  link.href = items.length ? `/matches/${items[0].match}` : "/";
  const fresh = before && items.find((/** @type {any} */ _turn, /** @type {number} */ at) => !before.includes(found[at]));
  if (fresh) await notifyTurn(fresh, link.dataset.ready ?? "");
  if (differs || drawsAnew) await drawPart();
}

/** Reloads the live part of this page, or the whole page if that part is gone or has another state. */
async function drawPart() {
  drawsAnew = false;
  const part = findPart();
  if (!part?.dataset.from) return;
  const fresh = /** @type {HTMLElement | null} */ ((await loadPage(part.dataset.from)).querySelector("[data-from]"));
  if (fresh?.dataset.state !== part.dataset.state) location.replace(part.dataset.from);
  else if (fresh && !fresh.isEqualNode(part)) {
    const focus = part.contains(document.activeElement) ? document.activeElement : null;
    const leads = focus?.getAttribute("href") ?? focus?.closest("form")?.getAttribute("action");
    part.replaceWith(document.adoptNode(fresh));
    const same = leads && fresh.querySelector(`[href="${leads}"]:not([tabindex]), [action="${leads}"] button`);
    if (same instanceof HTMLElement) same.focus();
    const spoken = document.querySelector("#spoken");
    if (spoken) spoken.textContent = link?.textContent ?? "";
  }
}

/**
 * Returns one of our pages as an inert document.
 * @param {string} path
 * @returns {Promise<Document>}
 */
function loadPage(path) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", path);
    request.responseType = "document";
    request.onload = () => (request.status === 200 && request.responseXML ? resolve(request.responseXML) : reject());
    request.onerror = reject;
    request.send();
  });
}

/** Updates after a short delay, once for all events in it. */
function lookSoon() {
  timer ||= setTimeout(() => {
    timer = 0;
    queue = queue.then(lookForTurns).catch(endSession);
  }, COLLECT_MS);
}

/**
 * Hides private content after signing out elsewhere; the page of a match shows a message above the draft instead.
 * @param {unknown} error
 */
function endSession(error) {
  if (!(error instanceof Refusal) || error.status !== 401) return;
  isSignedOut = true;
  if (!isLeaving && !document.querySelector("#turn")) location.reload();
}

document.addEventListener("submit", (event) => {
  isLeaving ||= !event.defaultPrevented;
});
if (link) {
  showTurns(Number(link.dataset.turns));
  followEvents((event) => {
    drawsAnew ||= !/^(turn|match\.moved|stream)/.test(event.type);
    if (!SILENT.has(event.type)) lookSoon();
  });
  keepAsking(async () => lookSoon());
}
if (findPart()?.dataset.state) keepAsking(drawPart);
