// Notes to the table, and offers to end or cancel the match.

import { Refusal, ask, askAll, data, find, keep, make, makeButton, recall, say } from "./page.js";
import { region } from "./times.js";

const path = `/v1/matches/${data.match}`;

/** Shows notes and offers, and takes new ones. */
export function startNotes() {
  const panel = find("#talk"), news = find("#news");
  const list = find(".notes", panel), form = /** @type {HTMLFormElement} */ (find("form", panel));
  const mute = /** @type {HTMLInputElement} */ (find("#mute", panel));

  /** @type {Promise<void> | null} the request under way */
  let loading = null;
  let again = false;

  /**
   * Shows the current notes and offers. Calls during a request share one more request after it: answers never arrive
   * out of order, and a burst of notes costs two requests.
   */
  async function load() {
    again = true;
    loading ??= loadUntilCurrent();
    await loading;
  }

  async function loadUntilCurrent() {
    try {
      while (again) {
        again = false;
        await loadOnce();
      }
    } finally {
      loading = null; // at once: a call between the last look at `again` and a later callback would be lost
    }
  }

  async function loadOnce() {
    const [notes, offers] = await Promise.all([ask("GET", `${path}/notes?limit=200`), askAll(`${path}/offers`)]);
    const items = notes.items.reverse();
    list.replaceChildren(...items.map(showNote));
    list.scrollTop = list.scrollHeight;
    mute.checked = notes.muted;
    showUnread(items);
    showOffers(offers);
    showBanner();
  }

  /** @param {{ id: number, seat: number | null }[]} items */
  function showUnread(items) {
    const key = `echtra:read:${data.match}`, details = /** @type {HTMLDetailsElement} */ (find("details", panel));
    const read = Number(recall(key, true) ?? 0);
    const unread = items.filter(({ id, seat }) => id > read && seat !== data.seat).length;
    const last = items[items.length - 1]?.id ?? 0;
    if (details.open) keep(key, String(last), true);
    const mark = find(".unread", news);
    mark.hidden = details.open || unread === 0;
    mark.textContent = say("unread", { count: unread });
  }

  /** Opens the notes, which marks them as read. */
  function openNotes() {
    /** @type {HTMLDetailsElement} */ (find("details", panel)).open = true;
    panel.scrollIntoView({ block: "nearest" });
    find("summary", panel).focus();
  }

  /** Shows the banner above the board unless it is empty. */
  function showBanner() {
    news.hidden = !find(".offers", news).childElementCount && find(".unread", news).hidden && find(".refused", news).hidden;
  }

  /** @param {any[]} offers */
  function showOffers(offers) {
    const standing = offers.filter(({ status }) => status === "open");
    find(".offers", news).replaceChildren(...standing.map((offer) => {
      const mine = offer.agreed.includes(data.seat);
      const text = say(`offer_${offer.kind}`, { name: nameOf(offer.by) });
      const answer = (/** @type {boolean} */ agree) => act(() => ask("POST", `${path}/offers/${offer.id}`, { agree }), news);
      const buttons = mine ? [make("span", { class: "kind" }, say("offer_waits"))] : [
        makeButton(say("agree"), "small", () => answer(true)), makeButton(say("refuse"), "quiet small", () => answer(false)),
      ];
      return make("div", { class: "offered" }, make("p", {}, text), ...buttons);
    }));
  }

  /**
   * Does something and shows the result, or says in `place` why it could not be done.
   * @param {() => Promise<unknown>} work
   * @param {Element} place
   */
  async function act(work, place = panel) {
    const wrong = find(".refused", place);
    wrong.hidden = true;
    try {
      await work();
      await load();
    } catch (error) {
      wrong.hidden = false;
      wrong.textContent = error instanceof Refusal ? error.message : say("offline");
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const field = /** @type {HTMLTextAreaElement} */ (find("textarea", form));
    if (!field.value.trim()) return;
    void act(async () => {
      await ask("POST", `${path}/notes`, { text: field.value });
      field.value = "";
    });
  });
  mute.addEventListener("change", () => act(() => ask("PUT", `${path}/notes/mute`, { muted: mute.checked })));
  for (const button of panel.querySelectorAll("button[data-offer]")) {
    const kind = /** @type {HTMLElement} */ (button).dataset.offer;
    button.addEventListener("click", () => act(() => ask("POST", `${path}/offers`, { kind })));
  }
  find(".unread", news).addEventListener("click", openNotes);
  find("details", panel).addEventListener("toggle", () => void load().catch(() => undefined));
  void load().catch(() => undefined);
  return { load };
}

/** @param {any} note */
function showNote({ name, text, at, seat }) {
  const time = new Intl.DateTimeFormat(region, { dateStyle: "short", timeStyle: "short", timeZone: data.zone ?? undefined });
  return make("li", seat === data.seat ? { class: "mine" } : {},
    make("bdi", {}, name), make("span", { class: "kind" }, time.format(new Date(at))), make("p", {}, text));
}

/** @param {number} seat */
function nameOf(seat) {
  return document.querySelectorAll("#seats-list bdi")[seat]?.textContent ?? String(seat);
}
