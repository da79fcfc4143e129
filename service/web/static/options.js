// The options that a page lists, read from the page itself.

/**
 * @param {import("./choice.js").Options} rest what the server tells of them besides
 * @returns {import("./choice.js").Options}
 */
export function readOptions(rest) {
  const items = [...document.querySelectorAll("#turn .options li")].map((row) => {
    const { line = "", marks = "", number = "0" } = /** @type {HTMLElement} */ (row).dataset;
    return { number: Number(number), line, marks: marks.split("|"), sentence: row.querySelector("span")?.textContent ?? "" };
  });
  return { ...rest, items };
}
