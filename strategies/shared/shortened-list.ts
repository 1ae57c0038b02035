/** Lists in one cell of a table. */

const shown = 3;

/** The first three with commas between, and how many there are besides. */
export function shortened(texts: readonly string[]): string {
  const first = texts.slice(0, shown).join(',');
  return texts.length > shown ? `${first} + ${texts.length - shown} more...` : first;
}
