// Shared by all scripts of a page: elements, texts in the reader's language, and requests to our API.

/**
 * Data for the scripts, from `<script type="application/json" id="data">`.
 * @type {Record<string, any>}
 */
export const data = JSON.parse(document.querySelector("#data")?.textContent ?? "{}");
export const language = document.documentElement.lang;

/**
 * Returns the text of a key in the reader's language with these values; `count` chooses between `one` and `other`.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function say(key, values = {}) {
  const found = data.words[key] ?? key;
  const single = values.count === 1 || (values.count === 0 && language === "fr");
  const text = typeof found === "string" ? found : found[single ? "one" : "other"];
  return text.replace(/\{(\w+)\}/g, (/** @type {string} */ whole, /** @type {string} */ name) => values[name] ?? whole);
}

/**
 * What a browser would not store: private windows refuse, and disks are full. It lasts as long as the page.
 * @type {Map<string, string>}
 */
const unstored = new Map();

/** @param {boolean} lasting */
const storage = (lasting) => lasting ? localStorage : sessionStorage;

/**
 * Returns what was kept under this name in this tab, or if `lasting`, in this browser.
 * @param {string} name
 * @param {boolean} [lasting]
 */
export function recall(name, lasting = false) {
  try {
    return unstored.get(name) ?? storage(lasting).getItem(name);
  } catch {
    return unstored.get(name) ?? null;
  }
}

/**
 * Keeps a text under this name, or nothing.
 * @param {string} name
 * @param {string | null} text
 * @param {boolean} [lasting]
 */
export function keep(name, text, lasting = false) {
  unstored.delete(name);
  try {
    if (text === null) storage(lasting).removeItem(name);
    else storage(lasting).setItem(name, text);
  } catch {
    if (text !== null) unstored.set(name, text);
  }
}

/**
 * Creates an element with these attributes and children.
 * @param {string} tag
 * @param {Record<string, string | boolean | EventListener>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/**
 * Creates a button with this action.
 * @param {string} text
 * @param {string} looks
 * @param {() => void} act
 */
export function makeButton(text, looks, act) {
  return make("button", { type: "button", class: looks, click: act }, text);
}

/**
 * Returns an element that must exist.
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {HTMLElement}
 */
export function find(selector, within = document) {
  const found = within.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`this page has no ${selector}`);
  return found;
}

/** A failed request to our API, with its problem details. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {Record<string, any>} problem
   * @param {number} wait seconds after which to try again
   */
  constructor(status, problem, wait) {
    super(problem.detail ?? problem.title ?? String(status));
    this.status = status;
    this.problem = problem;
    this.wait = wait;
  }

  /** @param {string} kind */
  is(kind) {
    return this.problem.type === `/problems/${kind}`;
  }
}

/**
 * Sends a request and returns the JSON of the answer, or null without a body.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Record<string, string>} [headers]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function ask(method, path, body, headers = {}, signal = undefined) {
  return (await send(method, path, body, headers, signal)).told;
}

/**
 * Returns every item of a list, page by page.
 * @param {string} path
 * @returns {Promise<any[]>}
 */
export async function askAll(path) {
  const items = [];
  for (let next = path; next;) {
    const page = await send("GET", next);
    items.push(...page.told.items);
    next = /^<([^>]+)>; rel="next"/.exec(page.link)?.[1] ?? "";
  }
  return items;
}

/**
 * Sends a request and returns the JSON and the `Link` of the answer.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {Record<string, string>} [headers]
 * @param {AbortSignal} [signal]
 */
async function send(method, path, body, headers = {}, signal = undefined) {
  /** @type {RequestInit} */
  const wish = { method, headers: { ...headers, "Accept-Language": language }, cache: "no-store", signal };
  if (body !== undefined) {
    wish.headers = { ...wish.headers, "Content-Type": "application/json" };
    wish.body = JSON.stringify(body);
  }
  const answer = await fetch(path, wish);
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get("Content-Type") ?? "");
  const told = isJson && text ? JSON.parse(text) : null;
  if (!answer.ok) throw new Refusal(answer.status, told ?? {}, Number(answer.headers.get("Retry-After") ?? 0));
  return { told, link: answer.headers.get("Link") ?? "" };
}

/**
 * Announces a text to screen readers once.
 * @param {string} text
 */
export function announce(text) {
  find("#spoken").textContent = text;
}

/** Returns true if the page is as narrow as a phone. */
export const narrowPage = matchMedia("(max-width: 599.98px)");

/** Returns true if the choice is a sheet at the bottom of the page. */
export const sheetPage = matchMedia("(max-width: 60rem)");

/** Returns the name of the picture that fits the page. */
export function pictureForm() {
  return narrowPage.matches ? "narrow" : "wide";
}

/**
 * Returns the URL of the table for scripts, with the language and the link of this page.
 * @param {Record<string, string>} wishes
 */
export function tablePath(wishes) {
  const query = new URLSearchParams(location.search);
  for (const name of ["at", "until"]) query.delete(name);
  for (const [name, value] of Object.entries({ picture: pictureForm(), ...wishes })) query.set(name, value);
  return `/matches/${data.match}/now?${query}`;
}
