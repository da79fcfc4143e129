// The touchable board: a picture whose groups have marks. What can be touched now has a dashed ring, what was
// touched a solid one. The board is one tab stop; arrow keys move to the nearest mark.

import { endMotion, findPlaces, travel } from "./motion.js";
import { make } from "./page.js";

const SVG = "http://www.w3.org/2000/svg";
const RING_GAP = 3;
/** What is as small as a finger's touch has its ring at its edge, so that the ring covers no words beside it. */
const SMALL = 30;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Callbacks of a board.
 * @typedef {{ touch: (mark: string) => void, undo: () => void }} BoardEvents
 */

export class Board {
  /**
   * @param {HTMLElement} frame the element that holds the picture
   * @param {string} label the name of the board
   * @param {BoardEvents} events
   */
  constructor(frame, label, events) {
    this.frame = frame;
    this.label = label;
    this.events = events;
    this.tip = make("p", { class: "tip", hidden: true });
    /** @type {Set<string>} */
    this.open = new Set();
    /** @type {string[]} */
    this.chosen = [];
    this.stop = "";
    this.picture = /** @type {SVGSVGElement} */ (frame.querySelector("svg"));
    frame.append(this.tip);
    frame.addEventListener("click", (event) => this.#click(event));
    frame.addEventListener("pointerdown", () => endMotion(this.picture));
    frame.addEventListener("keydown", (event) => this.#press(event));
    frame.addEventListener("pointerover", (event) => this.#hover(event));
    frame.addEventListener("pointerleave", () => this.#hideTip());
    frame.addEventListener("focusin", ({ target }) => {
      if (target instanceof Element && target.matches(":focus-visible")) this.#showTip(groupOf(target));
    });
    frame.addEventListener("focusout", () => this.#hideTip());
    this.#prepare();
  }

  /**
   * Replaces the picture. New pieces travel to their places and get a thin ring, and the focus stays where it was.
   * @param {SVGSVGElement} picture
   * @param {boolean} [tellNew]
   */
  draw(picture, tellNew = false) {
    const focused = groupOf(document.activeElement)?.dataset.mark;
    const before = this.picture, places = tellNew ? findPlaces(this.#marked(), lookOf) : new Map();
    this.picture.replaceWith(picture);
    this.picture = picture;
    this.#hideTip();
    this.#prepare();
    if (tellNew) {
      travel(picture, places, findPlaces(this.#marked(), lookOf));
      this.outline(before);
    }
    this.show(new Set(), []);
    this.focusWanted = focused;
  }

  /**
   * Outlines the groups that are new since an earlier picture, unless all are.
   * @param {SVGSVGElement} before
   */
  outline(before) {
    const looks = new Set([...before.querySelectorAll("g[aria-label], g[data-label]")].map((group) => lookOf(/** @type {SVGGElement} */ (group))));
    const groups = this.#labelled(), fresh = groups.filter((group) => !looks.has(lookOf(group)));
    for (const group of looks.size && fresh.length < groups.length ? fresh : []) addRing(group, "fresh");
  }

  /**
   * Marks what can be touched now and what was touched.
   * @param {Set<string>} open
   * @param {string[]} chosen
   */
  show(open, chosen) {
    const focused = groupOf(document.activeElement)?.dataset.mark ?? this.focusWanted;
    this.focusWanted = undefined;
    this.open = open;
    this.chosen = chosen;
    const live = this.#marked().filter((group) => this.#isLive(group));
    this.picture.setAttribute("role", live.length ? "group" : "img");
    for (const group of this.#marked()) this.#setRole(group);
    const stop = live.find((group) => group.dataset.mark === (focused ?? this.stop)) ?? live[0];
    this.#setStop(stop);
    const held = document.activeElement;
    if (focused !== undefined && groupOf(held) !== stop) (stop ? buttonOf(stop) : this.frame)?.focus({ preventScroll: true });
  }

  /**
   * Returns true if the picture has a shape for this mark.
   * @param {string} mark
   */
  has(mark) {
    return this.#marked().some((group) => group.dataset.mark === mark);
  }

  /**
   * Returns the name of a mark on the picture.
   * @param {string} mark
   * @returns {string}
   */
  labelOf(mark) {
    return this.#marked().find((group) => group.dataset.mark === mark)?.dataset.label ?? "";
  }

  /** Hides all but touchable groups from screen readers: drawn words are covered by the labels of the buttons. */
  #prepare() {
    for (const words of this.picture.querySelectorAll("title, desc")) words.remove();
    for (const words of this.picture.querySelectorAll("text")) words.setAttribute("aria-hidden", "true");
    // A picture that is shown again, as after taking back a line, was prepared before.
    for (const group of this.#labelled().filter((each) => each.hasAttribute("aria-label"))) {
      group.dataset.label = group.getAttribute("aria-label") ?? "";
      group.removeAttribute("aria-label");
    }
    this.picture.setAttribute("aria-label", this.label);
    this.picture.setAttribute("focusable", "false");
    // A wide frame has the picture's proportions and scales it to its room, but not below what can be touched.
    const { width, height } = this.picture.viewBox.baseVal;
    this.frame.style.setProperty("--wide", String(width));
    this.frame.style.setProperty("--high", String(height));
  }

  /** @returns {SVGGElement[]} */
  #marked() {
    return [...this.picture.querySelectorAll("g[data-mark]")].map((group) => /** @type {SVGGElement} */ (group));
  }

  /** @returns {SVGGElement[]} */
  #labelled() {
    return [...this.picture.querySelectorAll("g[aria-label], g[data-label]")].map((group) => /** @type {SVGGElement} */ (group));
  }

  /** @param {SVGGElement} group */
  #isLive(group) {
    const mark = group.dataset.mark ?? "";
    return this.open.has(mark) || this.chosen.includes(mark);
  }

  /** @param {SVGGElement} group */
  #setRole(group) {
    const mark = group.dataset.mark ?? "";
    const chosen = this.chosen.includes(mark);
    group.classList.toggle("open", this.open.has(mark));
    group.classList.toggle("chosen", chosen);
    if (!this.#isLive(group)) {
      buttonOf(group)?.remove();
      return;
    }
    // Reuse the ring, so that it keeps the focus and its outline.
    const ring = buttonOf(group) ?? addRing(group, "ring");
    ring.setAttribute("role", "button");
    ring.setAttribute("aria-label", group.dataset.label || mark);
    ring.setAttribute("aria-pressed", String(chosen));
    ring.setAttribute("tabindex", "-1");
  }

  /** @param {SVGGElement | undefined} group */
  #setStop(group) {
    for (const other of this.picture.querySelectorAll('.ring[tabindex="0"]')) other.setAttribute("tabindex", "-1");
    if (group) buttonOf(group)?.setAttribute("tabindex", "0");
    this.stop = group?.dataset.mark ?? "";
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const under = document.elementsFromPoint(event.clientX, event.clientY).map(groupOf);
    const groups = under.filter((group) => group !== null && this.picture.contains(group));
    const live = groups.find((group) => this.open.has(group?.dataset.mark ?? ""))
      ?? groups.find((group) => group && this.#isLive(group));
    if (!live) {
      this.#showTip(groups.find((group) => group?.dataset.label) ?? null);
      return;
    }
    this.#setStop(live);
    this.#hideTip();
    this.events.touch(live.dataset.mark ?? "");
  }

  /** @param {PointerEvent} event */
  #hover(event) {
    if (event.pointerType === "mouse") this.#showTip(groupOf(event.target));
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const group = groupOf(event.target), arrow = ARROWS[event.key];
    if (event.key === "Escape" || event.key === "Backspace") this.events.undo();
    else if (group && (event.key === "Enter" || event.key === " ")) this.events.touch(group.dataset.mark ?? "");
    else if (group && arrow) this.#goTo(nearest(group, this.#marked().filter((other) => this.#isLive(other)), arrow));
    else return;
    event.preventDefault();
  }

  /** @param {SVGGElement | undefined} group */
  #goTo(group) {
    if (!group) return;
    this.#setStop(group);
    buttonOf(group)?.focus();
  }

  /** @param {SVGGElement | null} group */
  #showTip(group) {
    const label = group?.dataset.label;
    if (!group || !label) {
      this.#hideTip();
      return;
    }
    this.tip.textContent = label;
    this.tip.hidden = false;
    const frame = this.frame.getBoundingClientRect(), place = group.getBoundingClientRect();
    const left = place.left + place.width / 2 - this.tip.offsetWidth / 2 - frame.left;
    const above = place.top - frame.top - this.tip.offsetHeight - 8;
    this.tip.style.left = `${Math.max(4, Math.min(left, frame.width - this.tip.offsetWidth - 4))}px`;
    this.tip.style.top = `${above >= 0 ? above : place.bottom - frame.top + 8}px`;
  }

  #hideTip() {
    this.tip.hidden = true;
  }
}

/**
 * Returns the group of a picture that contains an element.
 * @param {EventTarget | null} target
 * @returns {SVGGElement | null}
 */
function groupOf(target) {
  return target instanceof Element ? /** @type {SVGGElement | null} */ (target.closest("g[data-mark], g[data-label]")) : null;
}

/**
 * Returns a fingerprint of a group, to detect new ones.
 * @param {SVGGElement} group
 */
function lookOf(group) {
  return `${group.dataset.mark} ${group.getAttribute("aria-label") ?? group.dataset.label}`;
}

/**
 * Draws a ring around a group.
 * @param {SVGGElement} group
 * @param {string} looks
 */
function addRing(group, looks) {
  const { x, y, width, height } = group.getBBox();
  const ring = document.createElementNS(SVG, "rect");
  const gap = Math.min(width, height) > SMALL ? RING_GAP : 0;
  const sizes = { x: x - gap, y: y - gap, width: width + 2 * gap, height: height + 2 * gap, rx: 8 };
  for (const [name, value] of Object.entries(sizes)) ring.setAttribute(name, String(value));
  ring.setAttribute("class", looks);
  group.append(ring);
  return ring;
}

/**
 * Returns the focusable part of a group: its ring, because the words in the group are drawn and are not its name.
 * @param {SVGGElement} group
 * @returns {SVGElement | null}
 */
function buttonOf(group) {
  return group.querySelector(":scope > .ring");
}

/**
 * Returns the nearest group in a direction; sideways distance counts double.
 * @param {SVGGElement} from
 * @param {SVGGElement[]} groups
 * @param {[number, number]} direction
 * @returns {SVGGElement | undefined}
 */
function nearest(from, groups, [right, down]) {
  const middle = (/** @type {SVGGElement} */ group) => {
    const { left, top, width, height } = group.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x = 0, y = 0] = middle(from);
  const distances = groups.filter((group) => group !== from).map((group) => {
    const [toX = 0, toY = 0] = middle(group);
    const ahead = (toX - x) * right + (toY - y) * down;
    const aside = Math.abs((toX - x) * down) + Math.abs((toY - y) * right);
    return { group, ahead, distance: ahead + 2 * aside };
  });
  return distances.filter(({ ahead }) => ahead > 1).sort((one, two) => one.distance - two.distance)[0]?.group;
}
