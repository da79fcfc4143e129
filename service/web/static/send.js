// Sending lines: signed here, only once, whatever happens to the connection; every refusal offers a next step.

import { Refusal, ask, data, make, makeButton, pictureForm, say } from "./page.js";
import { NoKeys, deviceKey, renewKey, signLines } from "./keys.js";

const FORBIDDEN = 403, UNKNOWN = 401, TOO_MANY = 429, NOT_NOW = 503;

/**
 * A submission: lines that answer a question, or orders that wait for one.
 * @typedef {{ asked: number, prev: string, lines: string[], orders?: boolean }} Sending
 */

/**
 * Signs and sends lines. A key that cannot sign, or that the seat does not know, is replaced once. Lines whose answer was
 * lost on the way are sent again: the server answers the same submission the same way.
 * @param {Sending} sending
 * @returns {Promise<any>} the answer: with a table if everything that follows has happened
 */
export async function sendLines(sending) {
  const key = await deviceKey(data.player);
  const body = await signBody(key, sending).catch(() => null);
  if (body === null) return postLines(await signBody(await renewKey(data.player), sending));
  try {
    return await postLines(body);
  } catch (error) {
    const lost = error instanceof Refusal && error.status === FORBIDDEN && error.is("not-your-key");
    if (!lost || error.problem.signed) throw error;
    return postLines(await signBody(await renewKey(data.player), sending));
  }
}

/**
 * @param {import("./keys.js").DeviceKey} key
 * @param {Sending} sending
 */
async function signBody(key, { asked, prev, lines, orders = false }) {
  const about = { match: data.match, seat: data.seat, asked, prev };
  return { asked, prev, key: key.id, moves: await signLines(key, about, lines, orders), orders };
}

/**
 * Sends a signed body, twice if the connection breaks.
 * @param {unknown} body
 */
async function postLines(body) {
  const post = () => (
    ask("POST", `/v1/matches/${data.match}/moves?picture=${pictureForm()}`, body, { Prefer: "wait=10" })
  );
  return post().catch((error) => {
    if (error instanceof Refusal) throw error;
    return post();
  });
}

/**
 * Returns the message for a failure, and buttons for the next steps.
 * @param {unknown} error
 * @param {() => void} again
 * @returns {[string, ...HTMLElement[]]}
 */
export function explainFailure(error, again) {
  const retry = makeButton(say("try_again"), "small", again);
  if (error instanceof NoKeys) return [say("no_keys")];
  if (!(error instanceof Refusal)) return [say("offline"), retry];
  if (error.status === UNKNOWN) {
    const path = `/enter?to=${encodeURIComponent(location.pathname + location.search)}`;
    return [say("signed_out"), make("a", { class: "button small", href: path }, say("sign_in"))];
  }
  if (error.problem.signed) return [say("approve_device")];
  if (error.status === TOO_MANY || error.status === NOT_NOW) return [say("wait_seconds", { count: error.wait || 5 }), retry];
  if (error.is("question-changed")) return [say("changed")];
  return [error.message];
}
