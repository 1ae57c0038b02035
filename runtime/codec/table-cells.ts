/** Formats one cell of a Table: a value of the column's type, or an age. */
import type { JsonValue, PrinterColumn } from '../contract/index.js';
import { writeJson } from '../objects/depth/write-json.js';
import { compileFirstValue, type FirstValue, type Reads } from '../objects/json-path/json-path.js';
import { byCodePoint, formatNumber } from '../objects/printing.js';
import { humanDuration } from '../objects/time/human-duration.js';
import { timeMillis } from '../objects/time/time.js';

/** Reads a cell from an object; `now` is in milliseconds since 1970. The cells of a row share `reads`. */
export type CellReader = (object: JsonValue, now: number, reads?: Reads) => JsonValue;

/**
 * Compiles a column. Custom resources (`structural`) have null where there is nothing or something of another type;
 * built-in kinds (`typed`) have the type's zero value and show scalars as they are.
 */
export function compileCell(column: PrinterColumn, decoding: 'typed' | 'structural'): CellReader {
  const compiled = compileFirstValue(column.jsonPath);
  if (!compiled.ok) return () => null;
  const read: FirstValue = compiled.value;
  if (column.age || column.type === 'date') {
    const missing = decoding === 'typed' ? '<unknown>' : null;
    return (object, now, reads) => ageCell(read(object, reads), now, missing);
  }
  if (decoding === 'typed') {
    const zero = zeroOf(column.type);
    return (object, _, reads) => typedCell(read(object, reads) ?? zero);
  }
  const { type } = column;
  return (object, _, reads) => structuralCell(read(object, reads), type);
}

function zeroOf(type: PrinterColumn['type']): JsonValue {
  if (type === 'boolean') return false;
  return type === 'integer' || type === 'number' ? 0 : '';
}

function typedCell(value: JsonValue): JsonValue {
  return typeof value === 'object' ? compactText(value) : value;
}

function ageCell(value: JsonValue | undefined, now: number, missing: string | null): JsonValue {
  if (typeof value !== 'string') return missing;
  return formatAge(value, now);
}

/** The time since a moment as people read it: `5m`; `<unknown>` for no moment and `<invalid>` for no time. */
export function formatAge(time: string, now: number): string {
  if (time === '' || time === 'null') return '<unknown>';
  const moment = timeMillis(time);
  return moment === undefined ? '<invalid>' : humanDuration(now - moment);
}

/** Only the first of several values is shown. */
function structuralCell(value: JsonValue | undefined, type: PrinterColumn['type']): JsonValue {
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return textOf(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : typeof value === 'bigint' ? value : null;
    case 'number':
      return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    default:
      return null;
  }
}

function textOf(value: JsonValue): string {
  if (value === null) return '<no value>';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? compactText(value) : formatNumber(value);
}

/** JSON in one line with sorted keys, with the escapes that keep it apart from markup. */
function compactText(value: JsonValue): string {
  return writeJson(value, { order: byCodePoint }).replace(
    /[<>&]/g,
    (char) => `\\u00${char.charCodeAt(0).toString(16)}`,
  );
}
