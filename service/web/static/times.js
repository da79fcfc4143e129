// Times for the reader: in the zone of the account or of this machine, and the time left.

import { data, language, make } from "./page.js";

const MINUTE = 60_000, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
/** @type {[number, string][]} */
const UNITS = [[DAY, "day"], [HOUR, "hour"], [MINUTE, "minute"]];

/** The reader's variant of the language of the page, such as British English. */
export const region = navigator.languages.find((name) => name.split("-")[0] === language) ?? language;

/** Formats every time of the page; those with `data-left` show the time left. */
export function showTimes() {
  for (const time of document.querySelectorAll("main time[datetime]")) {
    if (!(time instanceof HTMLElement)) continue;
    const at = new Date(time.getAttribute("datetime") ?? "");
    if (Number.isNaN(at.getTime())) continue;
    const format = new Intl.DateTimeFormat(region, {
      weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: data.zone ?? undefined,
    });
    if (!("left" in time.dataset)) time.textContent = format.format(at);
    // If there is no room for both, only the time left is shown.
    else time.replaceChildren(timeLeft(at.getTime() - Date.now()), make("span", { class: "moment" }, ` · ${format.format(at)}`));
  }
}

/**
 * Returns a time span in its largest unit, such as `22 h`.
 * @param {number} ms
 */
function timeLeft(ms) {
  const [size, unit] = UNITS.find(([least]) => ms >= 2 * least) ?? [MINUTE, "minute"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(Math.max(0, Math.trunc(ms / size)));
}

setInterval(showTimes, MINUTE);
