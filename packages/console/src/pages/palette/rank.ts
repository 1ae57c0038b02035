/** Ranks names by how well they fit a typed text. */

/**
 * Returns a score: higher fits better, 0 does not fit. A name that begins with the text comes before one with a word
 * that does, before one with the starts of words in it (`csid` and `cd` in `CSIDriver`), before one that contains it,
 * before one that has its letters in order.
 */
export function scoreOf(name: string, text: string): number {
  if (text === '') return 1;
  const [low, wanted] = [name.toLowerCase(), text.toLowerCase()];
  const shorter = 1 / (1 + low.length);
  if (low === wanted) return 6;
  if (low.startsWith(wanted)) return 5 + shorter;
  const at = low.indexOf(wanted);
  if (at > 0 && !/[\p{L}\p{N}]/u.test(low[at - 1] ?? '')) return 4 + shorter;
  if (beginsWords(wordsOf(name), wanted)) return 3 + shorter;
  if (at > 0) return 2 + shorter;
  return hasInOrder(low, wanted) ? 1 + shorter : 0;
}

/** Splits a name into words at changes of case, at other kinds of characters and at marks: `CSI`, `Driver`. */
const wordsOf = (name: string): readonly string[] =>
  (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu) ?? [])
    .slice(0, 12)
    .map((word) => word.toLowerCase());

/** Returns whether a text consists of the starts of words, in their order. Words may be left out. */
function beginsWords(words: readonly string[], text: string): boolean {
  const ends = new Set([0]);
  for (const word of words) {
    for (const end of [...ends]) {
      for (let length = sharedStart(word, text.slice(end)); length > 0; length--) ends.add(end + length);
    }
  }
  return ends.has(text.length);
}

function sharedStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

function hasInOrder(name: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    const found = name.indexOf(letter, at);
    if (found < 0) return false;
    at = found + letter.length;
  }
  return true;
}

/** An entry with its score. */
interface Scored<T> {
  readonly entry: T;
  readonly score: number;
}

/** Returns the entries that fit best, at most `most`. `namesOf` lists the names of an entry; the best one counts. */
export const ranked = <T>(
  entries: readonly T[],
  text: string,
  namesOf: (entry: T) => readonly string[],
  most: number,
): T[] => scored(entries, text, namesOf, most).map(({ entry }) => entry);

/** Returns the entries that fit best with their scores. */
export function scored<T>(
  entries: readonly T[],
  text: string,
  namesOf: (entry: T) => readonly string[],
  most: number,
): Scored<T>[] {
  return entries
    .map((entry) => ({ entry, score: Math.max(...namesOf(entry).map((name) => scoreOf(name, text))) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most);
}
