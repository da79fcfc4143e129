// Settings that are stored only in this browser.

import { find } from "./page.js";
import { chime, hasPreference, keepPreference, mayNotify } from "./preferences.js";

const advance = /** @type {HTMLInputElement} */ (find("#advance"));
const chain = /** @type {HTMLInputElement} */ (find("#chain"));
const sound = /** @type {HTMLInputElement} */ (find("#sound"));
const button = find("#notify");
const told = find("#notify-told");

/** Shows if notifications are on, and the effect of the button. */
function showNotify() {
  const refused = !("Notification" in window) || Notification.permission === "denied";
  button.hidden = refused;
  button.textContent = (mayNotify() ? button.dataset.stop : button.dataset.start) ?? "";
  told.textContent = (refused ? told.dataset.refused : mayNotify() ? told.dataset.on : told.dataset.off) ?? "";
}

advance.checked = hasPreference("advance");
advance.addEventListener("change", () => keepPreference("advance", advance.checked));
chain.checked = !hasPreference("single-steps");
chain.addEventListener("change", () => keepPreference("single-steps", !chain.checked));
sound.checked = hasPreference("sound");
sound.addEventListener("change", () => {
  keepPreference("sound", sound.checked);
  chime();
});
button.addEventListener("click", async () => {
  const starts = !mayNotify();
  keepPreference("notify", starts && await Notification.requestPermission() === "granted");
  showNotify();
});
showNotify();
find("#wishes").hidden = false;
