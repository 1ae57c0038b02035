/** Lays out tables of texts. */

/** Lines of columns that are as wide as their widest cell. */
export function* tableLines(headings: readonly string[], rows: readonly (readonly string[])[]): Generator<string> {
  const all = [headings, ...rows];
  const widths = headings.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
  for (const row of all)
    yield row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
}
