/** Counts of patterns by room, and the file that keeps them. */

/** How often each pattern was found in each room, with the room `all` for their sum. */
export type Counts = ReadonlyMap<string, number>;

/** Returns the beginning of a line of the file. */
export const keyOf = (pattern: string, room: string): string => `${pattern} ${room}`;

/** Returns the room of a file: its first folder, and below `runtime` also the second one. */
export function roomOf(file: string): string {
  const [first = '', second = '', third] = file.split('/');
  return first === 'runtime' && third !== undefined ? `${first}/${second}` : first;
}

/** Counts finds by pattern and room, and by pattern alone. */
export function count(finds: readonly { readonly pattern: string; readonly file: string }[]): Counts {
  const counts = new Map<string, number>();
  for (const { pattern, file } of finds) {
    for (const room of ['all', roomOf(file)]) {
      const key = keyOf(pattern, room);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

/** Returns the text of the file: a line for each pattern and room, sorted. */
export const print = (counts: Counts): string =>
  [...counts]
    .map(([key, number]) => `${key} ${number}\n`)
    .sort()
    .join('');

/** Reads the file. Git joins the lines of two branches; the lower count is valid then. */
export function parse(text: string): Counts {
  const counts = new Map<string, number>();
  for (const [, key = '', number] of text.matchAll(/^(\S+ \S+) (\d+)$/gm)) {
    counts.set(key, Math.min(Number(number), counts.get(key) ?? Number.POSITIVE_INFINITY));
  }
  return counts;
}

/** Returns the keys that were found more often than listed. */
export const grown = (found: Counts, listed: Counts): string[] =>
  [...found.keys()].filter((key) => (found.get(key) ?? 0) > (listed.get(key) ?? 0));
