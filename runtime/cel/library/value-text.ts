/** Any value as a text, as `%s` of `format` shows it. */
import { textLimit } from '../values/bounds.js';
import { fail } from '../values/error.js';
import { entryOf } from '../values/map-key.js';
import { formatDuration, formatTimestamp } from '../values/time.js';
import {
  CelMap,
  type CelValue,
  Double,
  Duration,
  isList,
  itemsOf,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
} from '../values/value.js';
import { formatDouble } from './double-text.js';

/** A list or a map whose parts are being written. */
interface Open {
  readonly values: readonly CelValue[];
  /** The texts of the keys of a map. */
  readonly keys?: readonly string[];
  /** The texts of the values that are done. */
  readonly texts: string[];
}

/** Entries of maps are in the order of their texts. Throws an `EvaluationError` for values that have no text. */
export function textOf(value: CelValue): string {
  // Values may nest deeper than the stack allows.
  const open: Open[] = [];
  for (let now = value; ; ) {
    let text = scalarText(now);
    if (text === undefined) open.push(opened(now));
    for (;;) {
      const top = open.at(-1);
      if (top === undefined) return text ?? '';
      if (text !== undefined) top.texts.push(text);
      const next = top.values[top.texts.length];
      if (next !== undefined) {
        now = next;
        break;
      }
      open.pop();
      text = closed(top);
      textLimit(text.length);
    }
  }
}

/** The text of a value without parts; `undefined` of those that have some. */
function scalarText(value: CelValue): string | undefined {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Double) return Number.isFinite(value.value) ? formatDouble(value.value) : infinite(value.value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  return value instanceof TypeValue ? value.name : undefined;
}

/** A number that is none, or has no end. */
export const infinite = (value: number): string => (Number.isNaN(value) ? 'NaN' : value < 0 ? '-Infinity' : 'Infinity');

function opened(value: CelValue): Open {
  if (isList(value)) return { values: itemsOf(value), texts: [] };
  if (!(value instanceof CelMap)) return wrongType(stringRule, value);
  const keys = value.keys();
  return { values: keys.map((key) => entryOf(value, key) ?? null), keys: keys.map(textOf), texts: [] };
}

function closed({ keys, texts }: Open): string {
  if (keys === undefined) return `[${texts.join(', ')}]`;
  const entries = texts.map((text, i) => `${keys[i] ?? ''}: ${text}`);
  return `{${entries.sort().join(', ')}}`;
}

const stringRule =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

/** Ends an evaluation that formats a value of the wrong type. */
export const wrongType = (rule: string, value: CelValue): never =>
  fail(`error during formatting: ${rule}, was given ${typeNameOf(value)}`);
