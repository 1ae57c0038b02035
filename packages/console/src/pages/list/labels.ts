/** Completes a label selector with labels of objects. */
import type { Row } from '../../data/live-table.js';

const mostRows = 1_000;
const mostLabels = 200;

/** Returns selectors: each has the present terms up to the last comma, and then a label of the first rows. */
export function completionsOf(typed: string, rows: ReadonlyMap<string, Row>): readonly string[] {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  const found = new Set<string>();
  let seen = 0;
  for (const { labels } of rows.values()) {
    if (++seen > mostRows || found.size >= mostLabels) break;
    for (const [key, value] of Object.entries(labels)) if (found.size < mostLabels) found.add(`${key}=${value}`);
  }
  return [...found].sort().map((label) => before + label);
}
