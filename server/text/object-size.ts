/** Reads the size limit of stored objects. */
import type { Result } from '../../runtime/contract/index.js';
import { parseQuantity, quantityInUnits } from '../../runtime/objects/scan/quantity.js';
import { badRequest } from '../../runtime/objects/status.js';

/** The lowest limit, in bytes: the server must be able to store its own objects. */
export const SMALLEST_LIMIT = 16 * 1024;
/** The highest limit, in bytes. */
export const LARGEST_LIMIT = 64 * 1024 * 1024;

/** Reads a quantity of bytes between these bounds. */
export function readObjectSize(text: string): Result<number> {
  const quantity = parseQuantity(text);
  const bytes = quantity.ok ? Number(quantityInUnits(quantity.value)) : 0;
  if (bytes >= SMALLEST_LIMIT && bytes <= LARGEST_LIMIT) return { ok: true, value: bytes };
  const message = `${text}: must be a size from 16Ki to 64Mi; use a number of bytes, or a number and a unit, such as 1536Ki`;
  return { ok: false, failure: badRequest(message) };
}

/** Prints a table with columns as wide as their widest cell. */
export function* tableLines(headings: readonly string[], rows: readonly (readonly string[])[]): Generator<string> {
  const all = [headings, ...rows];
  const widths = headings.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
  for (const row of all)
    yield row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
}
