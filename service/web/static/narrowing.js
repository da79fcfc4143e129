// Choosing a line by touching marks, by the same rules as engine/narrowing.py: tests/golden/narrow.json applies
// to both. Touches fit a line if they can be split into runs, each of marks of one word, no word twice, and every run
// but the last complete.

/** @typedef {string[]} Word The marks that are touched to say a word of a line. */

/**
 * What remains of a list of lines after some touches, by position in the list.
 * @typedef {{ left: number[], open: string[], offered: number[] }} Narrowed
 */

/**
 * What can follow one way of splitting the touches: the marks left in the word of its last run, and the words not begun.
 * @typedef {{ rest: string[], unsaid: Word[] }} Cut
 */

/**
 * Returns the lines that fit these touches, what can be touched next, and what can be sent now.
 * @param {Word[][]} lines
 * @param {string[]} clicks
 * @returns {Narrowed}
 */
export function narrow(lines, clicks) {
  const left = [], open = new Set();
  for (const [place, words] of lines.entries()) {
    const cuts = cutTouches(words, clicks);
    if (cuts.length === 0) continue;
    left.push(place);
    for (const { rest, unsaid } of cuts) {
      for (const mark of rest.length ? rest : unsaid.flat()) open.add(mark);
    }
  }
  return { left, open: [...open], offered: findOffered(lines, left, clicks) };
}

/**
 * Returns the only line left, else the complete ones; of several, those in the order of the touches.
 * @param {Word[][]} lines
 * @param {number[]} left
 * @param {string[]} clicks
 */
function findOffered(lines, left, clicks) {
  if (left.length === 1) return left;
  const touched = [...clicks].sort().join(" ");
  const said = (/** @type {number} */ place) => (lines[place] ?? []).flat();
  const whole = left.filter((place) => said(place).sort().join(" ") === touched);
  const inOrder = whole.filter((place) => said(place).join(" ") === clicks.join(" "));
  return whole.length > 1 && inOrder.length ? inOrder : whole;
}

/**
 * Returns every way to split the touches into runs.
 * @param {Word[]} unsaid
 * @param {string[]} clicks
 * @returns {Cut[]}
 */
function cutTouches(unsaid, clicks) {
  if (clicks.length === 0) return [{ rest: [], unsaid }];
  return unsaid.flatMap((word, place) => {
    const rest = [...word];
    for (const mark of clicks.slice(0, word.length)) {
      const found = rest.indexOf(mark);
      if (found < 0) return [];
      rest.splice(found, 1);
    }
    const others = unsaid.toSpliced(place, 1);
    return rest.length ? [{ rest: [...new Set(rest)], unsaid: others }] : cutTouches(others, clicks.slice(word.length));
  });
}
