// The key of this browser: made here, kept here, and never readable by a script; the server gets its public half.

import { ask } from "./page.js";

const DATABASE = "echtra", STORE = "keys";

/** @typedef {{ id: string, pair: CryptoKeyPair }} DeviceKey */

/** Thrown where browser or connection cannot keep a key. */
export class NoKeys extends Error {}

/**
 * The key of this browser for a player, made and told to the server if there is none.
 * @param {string} player
 * @returns {Promise<DeviceKey>}
 */
export async function deviceKey(player) {
  return (await findKey(player)) ?? renewKey(player);
}

/**
 * A new key in place of the one that was lost or is good no more.
 * @param {string} player
 * @returns {Promise<DeviceKey>}
 */
export async function renewKey(player) {
  const pair = await makePair();
  const { crv, kty, x } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const { id } = await ask("POST", "/v1/me/keys", { jwk: { crv, kty, x }, seats: true });
  const key = { id, pair };
  await change((store) => store.put(key, player));
  void navigator.storage?.persist?.();
  return key;
}

/** @returns {Promise<CryptoKeyPair>} */
async function makePair() {
  if (!globalThis.crypto?.subtle || !globalThis.indexedDB) throw new NoKeys();
  try {
    return /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"]));
  } catch {
    throw new NoKeys();
  }
}

/**
 * The key of this browser for a player, if there is one.
 * @param {string} player
 * @returns {Promise<DeviceKey | undefined>}
 */
export async function findKey(player) {
  if (!globalThis.indexedDB) throw new NoKeys();
  return change((store) => store.get(player), "readonly");
}

/**
 * One request to the store of keys.
 * @template T
 * @param {(store: IDBObjectStore) => IDBRequest<T>} act
 * @param {IDBTransactionMode} [mode]
 * @returns {Promise<T>}
 */
async function change(act, mode = "readwrite") {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await settle(opening);
  try {
    return await settle(act(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function settle(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * What is signed for a line of a submission, part by part.
 * @typedef {{ match: string, seat: number, asked: number, prev: string }} Signed
 */

/**
 * These lines, each with its signature; each is tied to the one before it.
 * @param {DeviceKey} key
 * @param {Signed} about
 * @param {string[]} lines
 * @param {boolean} orders whether even the first may wait for its question
 * @returns {Promise<{ line: string, signature: string }[]>}
 */
export async function signLines(key, { match, seat, asked, prev }, lines, orders) {
  const signed = [];
  let before = orders ? "wait" : "now";
  for (const [place, line] of lines.entries()) {
    const parts = ["echtra-move-v1", match, seat, asked, prev, place + 1, before, line];
    const text = new TextEncoder().encode(parts.map((part) => `${part}\n`).join(""));
    const signature = await crypto.subtle.sign("Ed25519", key.pair.privateKey, text);
    before = toHex(await crypto.subtle.digest("SHA-256", signature));
    signed.push({ line, signature: toHex(signature) });
  }
  return signed;
}

/** @param {ArrayBuffer} bytes */
function toHex(bytes) {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
