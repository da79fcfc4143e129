// What this browser alone is to do, kept in it: go on to the next turn after Send, and tell of turns while nobody looks.

const SHOWN = "echtra-shown";

/** @typedef {"advance" | "notify"} Preference */

/** @param {Preference} preference */
export function hasPreference(preference) {
  return localStorage.getItem(`echtra:${preference}`) === "1";
}

/**
 * @param {Preference} preference
 * @param {boolean} isWanted
 */
export function keepPreference(preference, isWanted) {
  if (isWanted) localStorage.setItem(`echtra:${preference}`, "1");
  else localStorage.removeItem(`echtra:${preference}`);
}

/**
 * Goes on to the next turn of another match, if that is wished and this one asks nothing.
 * @param {{ status: string, question: unknown, turns: { next: string | null } }} now
 */
export function advance({ status, question, turns }) {
  if (hasPreference("advance") && status !== "over" && !question && turns.next) location.assign(turns.next);
}

/** Whether notifications are wished and allowed. */
export function mayNotify() {
  return hasPreference("notify") && "Notification" in window && Notification.permission === "granted";
}

/**
 * Tells of a new turn, unless a page of ours is looked at.
 * @param {{ match: string, title: string }} turn
 * @param {string} text
 */
export async function notifyTurn({ match, title }, text) {
  if (!mayNotify() || (await navigator.locks.query()).held?.some(({ name }) => name === SHOWN)) return;
  try {
    // The tag makes one notification of those of several tabs.
    const told = new Notification(text, { body: title, tag: match, icon: "/static/icon.svg" });
    told.onclick = () => {
      window.focus();
      location.assign(`/matches/${match}`);
    };
  } catch {
    // Some phones take notifications from service workers only.
  }
}

/** Lets the other tabs know while this one is looked at. */
function holdWhileShown() {
  if (document.hidden) return;
  void navigator.locks?.request(SHOWN, { mode: "shared" }, () => new Promise((release) => {
    document.addEventListener("visibilitychange", release, { once: true });
  }));
}

document.addEventListener("visibilitychange", holdWhileShown);
holdWhileShown();
