// Preferences stored in this browser: go to the next turn after Send, choose forced steps one by one, notify about
// turns while the page is hidden, and a quiet sound for them.

import { keep, recall } from "./page.js";

const SHOWN = "echtra-shown";
/** Pitches in hertz: a fifth. */
const NOTES = [523.25, 783.99];

/** @typedef {"advance" | "notify" | "single-steps" | "sound"} Preference */

/** @param {Preference} preference */
export function hasPreference(preference) {
  return recall(`echtra:${preference}`, true) === "1";
}

/**
 * @param {Preference} preference
 * @param {boolean} isWanted
 */
export function keepPreference(preference, isWanted) {
  keep(`echtra:${preference}`, isWanted ? "1" : null, true);
}

/**
 * Goes to the next turn in another match, if enabled and if this one has no question.
 * @param {{ status: string, question: unknown, turns: { next: string | null } }} now
 */
export function advance({ status, question, turns }) {
  if (hasPreference("advance") && status !== "over" && !question && turns.next) location.assign(turns.next);
}

/** Plays two quiet notes for a new turn, if enabled. A browser may refuse before the first click on the page. */
export function chime() {
  if (!hasPreference("sound")) return;
  const audio = new AudioContext(), start = audio.currentTime + 0.05;
  for (const [place, pitch] of NOTES.entries()) {
    const tone = audio.createOscillator(), volume = audio.createGain(), at = start + 0.16 * place;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(0.06, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.55);
    if (place === NOTES.length - 1) tone.onended = () => void audio.close();
  }
}

/** Returns true if notifications are enabled and allowed. */
export function mayNotify() {
  return hasPreference("notify") && "Notification" in window && Notification.permission === "granted";
}

/**
 * Notifies about a new turn, unless one of our pages is visible.
 * @param {{ match: string, title: string }} turn
 * @param {string} text
 */
export async function notifyTurn({ match, title }, text) {
  if (!mayNotify() || (await navigator.locks.query()).held?.some(({ name }) => name === SHOWN)) return;
  try {
    // The tag merges the notifications of several tabs.
    const told = new Notification(text, { body: title, tag: match, icon: "/static/icon.svg" });
    told.onclick = () => {
      window.focus();
      location.assign(`/matches/${match}`);
    };
  } catch {
    // Some phones accept notifications only from service workers.
  }
}

/** Tells the other tabs that this one is visible. */
function holdWhileShown() {
  if (document.hidden) return;
  void navigator.locks?.request(SHOWN, { mode: "shared" }, () => new Promise((release) => {
    document.addEventListener("visibilitychange", release, { once: true });
  }));
}

document.addEventListener("visibilitychange", holdWhileShown);
holdWhileShown();
