// Pictures from our answers as elements. The only place where text becomes markup, and only as SVG.

/** @typedef {{ createHTML: (text: string) => string }} Policy */

/** @type {Policy} */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("echtra", { createHTML: (/** @type {string} */ text) => text })
  ?? { createHTML: (text) => text };

/**
 * Returns the picture from an answer as an element.
 * @param {string} text
 * @returns {SVGSVGElement}
 */
export function parseSvg(text) {
  const parsed = new DOMParser().parseFromString(policy.createHTML(text), "image/svg+xml").documentElement;
  const picture = document.importNode(parsed, true);
  if (!(picture instanceof SVGSVGElement)) throw new Error("this is no picture");
  for (const element of picture.querySelectorAll("script, foreignObject, a")) element.remove();
  return picture;
}
