// The key of this browser: created and stored here, never readable by scripts; the server gets its public half.

import { ask } from "./page.js";

const DATABASE = "echtra", STORE = "keys";

/** @typedef {{ id: string, pair: CryptoKeyPair }} DeviceKey */

/** Thrown if the browser or the connection cannot store a key. */
export class NoKeys extends Error {}

/** @type {DeviceKey | undefined} the key of this page if the browser cannot store one, for example on a full disk */
let unstored;

/**
 * Returns the key of this browser for a player. Creates and enrols one if there is none.
 * @param {string} player
 * @returns {Promise<DeviceKey>}
 */
export async function deviceKey(player) {
  return unstored ?? (await findKey(player)) ?? renewKey(player);
}

/**
 * Creates and enrols a new key to replace one that is lost, refused or unusable.
 * @param {string} player
 * @returns {Promise<DeviceKey>}
 */
export async function renewKey(player) {
  const pair = await makePair();
  const { crv, kty, x } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const { id } = await ask("POST", "/v1/me/keys", { jwk: { crv, kty, x }, seats: true });
  const key = { id, pair };
  try {
    await change((store) => store.put(key, player));
    unstored = undefined;
  } catch {
    unstored = key;
  }
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
 * Returns the stored key of a player, or undefined if there is none that can sign.
 * @param {string} player
 * @returns {Promise<DeviceKey | undefined>}
 */
export async function findKey(player) {
  if (!globalThis.indexedDB) throw new NoKeys();
  // A store that cannot be read, or a key that a browser update damaged, counts as no key: a new one is made.
  const key = await change((store) => store.get(player), "readonly").catch(() => undefined);
  return key?.id && key.pair?.privateKey instanceof CryptoKey ? key : undefined;
}

/**
 * Runs one request on the key store.
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
 * The signed parts that all lines of a submission share.
 * @typedef {{ match: string, seat: number, asked: number, prev: string }} Signed
 */

/**
 * Returns the lines with their signatures, each chained to the previous one.
 * @param {DeviceKey} key
 * @param {Signed} about
 * @param {string[]} lines
 * @param {boolean} orders true if even the first may wait for its question
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
