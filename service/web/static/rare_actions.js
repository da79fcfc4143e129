// Rare actions in a match: resigning, taking over a seat, playing again, approving another device, checking the record.

import { Refusal, ask, askAll, data, find, make, makeButton, say } from "./page.js";
import { findKey, signLines } from "./keys.js";
import { explainFailure, sendLines } from "./send.js";

const path = `/v1/matches/${data.match}`;
const MOST_APPROVALS = 50;

/**
 * Adds the actions to the buttons that the page has.
 * @param {{ refresh: () => Promise<void> }} events
 */
export function startRareActions(events) {
  onSubmit("#resign", async (form) => {
    const typed = /** @type {HTMLInputElement} */ (find("input", form)).value.trim().toLowerCase();
    if (typed !== form.dataset.word) throw new Refusal(0, { detail: say("resign_word", { word: form.dataset.word ?? "" }) }, 0);
    const { seq, hash, question } = await ask("GET", `${path}/table`);
    await sendLines({ ...(question ?? { asked: seq, prev: hash }), lines: ["resign"] });
    await events.refresh();
  });
  onSubmit(".substitute", async (form) => {
    await ask("POST", `${path}/substitute`, { seat: Number(form.dataset.seat) });
    location.reload();
  });
  onSubmit("#rematch", async (_, button) => {
    const { id } = await ask("POST", `${path}/rematch`, { swap: button?.value === "swap" });
    location.assign(`/matches/${id}`);
  });
  onSubmit("#check", checkRecord);
  void offerApprovals();
  void awaitRatings(5);
}

/**
 * Shows the new ratings once the worker has counted the match, a few seconds after its end.
 * @param {number} tries
 */
async function awaitRatings(tries) {
  const row = document.querySelector("tr.rating-row.pending");
  if (!row || !tries) return;
  await new Promise((resolve) => { setTimeout(resolve, 2000); });
  const { ratings } = await ask("GET", `/matches/${data.match}/now${location.search}`);
  if (!ratings.length) return void await awaitRatings(tries - 1);
  row.classList.remove("pending");
  for (const [seat, cell] of row.querySelectorAll("td").entries()) cell.textContent = ratings[seat];
}

/**
 * Submits forms without leaving the page, and shows what went wrong.
 * @param {string} selector
 * @param {(form: HTMLFormElement, button?: HTMLButtonElement | null) => Promise<void>} work
 */
function onSubmit(selector, work) {
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll(selector))) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const wrong = find(".refused", form);
      wrong.hidden = true;
      try {
        await work(form, /** @type {HTMLButtonElement | null} */ (event.submitter));
      } catch (error) {
        wrong.hidden = false;
        wrong.replaceChildren(...explainFailure(error, () => form.requestSubmit(event.submitter)));
      }
    });
  }
}

/**
 * Checks the record in this browser, with the published verifier.
 * @param {HTMLFormElement} form
 */
async function checkRecord(form) {
  const place = find(".found", form);
  place.textContent = say("checking");
  const { verify } = await import(data.verifier);
  const [record, { keys }] = await Promise.all([fetch(`${path}/record`), ask("GET", "/.well-known/echtra.json")]);
  try {
    const report = await verify(new Uint8Array(await record.arrayBuffer()), { serverKeys: keys });
    place.textContent = say("check_good", { ...report, attested: report.attested + report.mail });
  } catch (error) {
    place.textContent = say("check_bad", { why: error instanceof Error ? error.message : String(error) });
  }
}

/** Offers to approve another device of this player: one click signs for it in all matches. */
async function offerApprovals() {
  const place = document.querySelector("#devices");
  if (!(place instanceof HTMLElement) || !data.signed || data.seat === null) return;
  const mine = await findKey(data.player).catch(() => undefined);
  const items = mine ? await askAll("/v1/me/keys").catch(() => []) : [];
  for (const key of items) {
    if (!mine || key.id === mine.id || !key.seats || key.revoked_at || key.replaced_at) continue;
    const wanted = await askAll(`/v1/me/keys/${key.id}/approvals`).catch(() => []);
    const able = wanted.filter((each) => each.keys.includes(mine.id));
    if (!able.length) continue;
    const button = makeButton(say("let_play", { device: key.label || key.id.slice(0, 8) }), "quiet", async () => {
      const signed = await Promise.all(able.map(async (each) => {
        const [move] = await signLines(mine, each, [each.line], false);
        return { match: each.match, asked: each.asked, prev: each.prev, line: each.line, key: mine.id, signature: move?.signature };
      }));
      for (let start = 0; start < signed.length; start += MOST_APPROVALS) {
        await ask("POST", `/v1/me/keys/${key.id}/approvals`, { items: signed.slice(start, start + MOST_APPROVALS) });
      }
      button.replaceWith(make("p", { role: "status" }, say("plays_too", { device: key.label || key.id.slice(0, 8) })));
    });
    place.hidden = false;
    place.append(button);
  }
}
