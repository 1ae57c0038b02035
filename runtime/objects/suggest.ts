/** Suggests a known word for an unknown one. */

/** Longer words get no suggestion; nobody mistypes them. */
const LONGEST = 64;
/** The most known words that are compared. If there are more, only the first ones count. */
const MOST_KNOWN = 1_000;

/** Returns `did you mean …?` with the known word nearest to `written`, if it is near enough. */
export function didYouMean(written: string, known: Iterable<string>): string | undefined {
  const nearest = findNearest(written, known);
  return nearest === undefined ? undefined : `did you mean \`${nearest}\`?`;
}

/**
 * Returns the known word with the smallest edit distance, which is at most a third of the length of `written`. The
 * first one wins a tie.
 */
export function findNearest(written: string, known: Iterable<string>): string | undefined {
  if (written.length > LONGEST) return undefined;
  let limit = Math.max(1, Math.floor(written.length / 3));
  let nearest: string | undefined;
  let looked = 0;
  for (const word of known) {
    if (looked++ === MOST_KNOWN) break;
    if (word.length > LONGEST || Math.abs(word.length - written.length) > limit) continue;
    const distance = word.toLowerCase() === written.toLowerCase() ? 0 : editDistance(written, word);
    if (distance > limit || sharesNothing(written, word, distance)) continue;
    nearest = word;
    limit = distance - 1;
    if (limit < 0) break;
  }
  return nearest;
}

/** Returns whether no letter is the same at the same position. */
const sharesNothing = (written: string, word: string, distance: number): boolean =>
  distance > 0 && distance >= Math.max(written.length, word.length);

/** Returns the number of insertions, removals, replacements and swaps of neighbours between two words. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const replaced = (above[column - 1] ?? 0) + (same ? 0 : 1);
      let least = Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      current.push(least);
    }
    before = above;
    above = current;
  }
  return above[b.length] ?? 0;
}
