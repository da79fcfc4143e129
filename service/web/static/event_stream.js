// Live events: one stream for all tabs of this browser, and polling if there is
// none. The number of turns is in the title and the page header, and the icon gets a dot.

const EVENTS = [
  "match.started", "turn.ready", "match.moved", "match.decided", "match.over", "match.cancelled", "orders.dropped",
  "seat.timeout", "invitation.received", "note.written", "offer.made",
];
const SHOWN_MS = 20_000, HIDDEN_MS = 120_000;
const title = document.title;
const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));

/** @typedef {{ type: string, match: string | null, seq?: number }} HouseEvent */

/** @type {((event: HouseEvent) => void)[]} listeners of this page */
const hearers = [];

/**
 * Calls `hear` with each event of this player: one tab has the stream and broadcasts to the others.
 * @param {(event: HouseEvent) => void} hear
 */
export function followEvents(hear) {
  hearers.push(hear);
  if (hearers.length === 1) shareStream((event) => hearers.forEach((each) => each(event)));
}

/** @param {(event: HouseEvent) => void} hear */
function shareStream(hear) {
  const channel = new BroadcastChannel("echtra-events");
  channel.onmessage = ({ data }) => hear(data);
  if (!navigator.locks) {
    openStream(hear);
    return;
  }
  void navigator.locks.request("echtra-events", () => new Promise(() => {
    openStream((event) => {
      hear(event);
      channel.postMessage(event);
    });
  }));
}

/** @param {(event: HouseEvent) => void} hear */
function openStream(hear) {
  const stream = new EventSource("/v1/events");
  for (const type of EVENTS) {
    stream.addEventListener(type, (event) => hear(JSON.parse(event.data)));
  }
  stream.onopen = () => hear({ type: "stream.opened", match: null });
  stream.onerror = () => {
    // The session may have ended, and the stream with it: let listeners check.
    hear({ type: "stream.broken", match: null });
    // The browser reconnects an interrupted stream by itself, but not one that was refused.
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => openStream(hear), SHOWN_MS);
  };
}

/**
 * Polls, less often while the page is hidden.
 * @param {() => Promise<unknown>} look
 */
export function keepAsking(look) {
  let last = Date.now();
  const turn = async () => {
    const rest = document.hidden ? HIDDEN_MS : SHOWN_MS;
    if (Date.now() - last >= rest) {
      last = Date.now();
      await look().catch(() => undefined);
    }
    setTimeout(turn, 1000);
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && Date.now() - last >= SHOWN_MS) last = 0;
  });
  void turn();
}

/**
 * Shows the number of this player's turns.
 * @param {number} count
 */
export function showTurns(count) {
  document.title = count ? `(${count}) ${title}` : title;
  if (icon) icon.href = icon.href.replace(/icon(-turn)?\.svg$/, count ? "icon-turn.svg" : "icon.svg");
  const link = document.querySelector(".masthead .turns");
  if (!(link instanceof HTMLElement)) return;
  link.dataset.turns = String(count);
  link.classList.toggle("some", count > 0);
  link.textContent = (link.textContent ?? "").replace(/\s*\(\d+\)$/, "") + (count ? ` (${count})` : "");
}
