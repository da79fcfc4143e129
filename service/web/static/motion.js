// Motion on a board: what changed between two pictures travels to its new place. Only marks, labels and places are
// compared, so that games need no code for it, and nothing travels that the reader could not see before.

const TRAVEL_MS = 180;
const EASING = "cubic-bezier(.2,.7,.2,1)";
const LEAST_WAY = 2;
const MOST_PIECES = 12;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {{ group: SVGGElement, look: string, x: number, y: number }} Place A marked group and its middle on the screen. */

/**
 * Returns the marked groups of a picture that is shown, by mark.
 * @param {SVGGElement[]} groups
 * @param {(group: SVGGElement) => string} lookOf
 * @returns {Map<string, Place>}
 */
export function findPlaces(groups, lookOf) {
  return new Map(groups.map((group) => {
    const { left, top, width, height } = group.getBoundingClientRect();
    return [group.dataset.mark ?? "", { group, look: lookOf(group), x: left + width / 2, y: top + height / 2 }];
  }));
}

/**
 * Lets pieces travel from the places on the last picture to those on this one.
 * @param {SVGSVGElement} picture
 * @param {Map<string, Place>} before
 * @param {Map<string, Place>} after
 */
export function travel(picture, before, after) {
  const scale = picture.getScreenCTM()?.a;
  if (still.matches || !scale || !before.size) return;
  const gone = [...before].filter(([mark]) => !after.has(mark)).map(([, place]) => place);
  const added = [...after].filter(([mark]) => !before.has(mark)).map(([, place]) => place);
  const changed = [...after].filter(([mark, { look }]) => (before.get(mark)?.look ?? look) !== look).map(([, place]) => place);
  const moved = [...after].flatMap(([mark, place]) => {
    const from = before.get(mark);
    return from && Math.hypot(from.x - place.x, from.y - place.y) > LEAST_WAY ? [{ from, place }] : [];
  });
  if (gone.length + added.length + moved.length > MOST_PIECES) return;
  const slide = (/** @type {SVGElement} */ piece, /** @type {number} */ x, /** @type {number} */ y, back = false) => {
    const away = { translate: `${x / scale}px ${y / scale}px` }, home = { translate: "0px 0px" };
    return piece.animate(back ? [home, away] : [away, home], { duration: TRAVEL_MS, easing: EASING });
  };
  for (const { from, place } of moved) slide(place.group, from.x - place.x, from.y - place.y);
  // A piece that left its place goes where something is new, as a copy of what was there.
  for (const from of gone) {
    const to = nearest(from, added.length ? added : changed);
    if (!to) continue;
    const copy = /** @type {SVGGElement} */ (from.group.cloneNode(true));
    copy.removeAttribute("data-mark");
    for (const ring of copy.querySelectorAll(".ring, .fresh")) ring.remove();
    picture.append(copy);
    const end = () => copy.remove();
    void slide(copy, to.x - from.x, to.y - from.y, true).finished.then(end, end);
  }
  // What is new without a piece that left comes from a place that changed, such as a card from the deck.
  for (const place of gone.length ? [] : added) {
    const from = nearest(place, changed);
    if (from) slide(place.group, from.x - place.x, from.y - place.y);
  }
}

/**
 * Ends all motion on a picture.
 * @param {SVGSVGElement} picture
 */
export function endMotion(picture) {
  for (const motion of picture.getAnimations({ subtree: true })) motion.finish();
}

/**
 * Returns the nearest of these places.
 * @param {Place} from
 * @param {Place[]} places
 */
function nearest(from, places) {
  const distance = (/** @type {Place} */ { x, y }) => Math.hypot(x - from.x, y - from.y);
  return [...places].sort((one, two) => distance(one) - distance(two))[0];
}
