/** Values of a JSON type that a typed kind cannot hold, and the words for them. */
import type { TypeMismatch } from '../../contract/index.js';
import { formatNumber } from '../../objects/printing.js';
import type { Value } from './value.js';
import { isNumber } from './value.js';

/** A mismatch on its way up to the object's root. */
export interface Mismatch {
  /** Name of the type whose field it is. */
  readonly struct: string;
  /** Path from where the walk is; no indexes, no keys of maps. */
  readonly field: string;
  readonly found: string;
  readonly wanted: string;
  /** The whole message, where it is not about a type (a time that cannot be parsed). */
  readonly problem?: string;
}

/** Returns the name of a value's type: `string`, `number`, `bool`, `object`, `array`. */
function describe(value: Value): string {
  if (typeof value === 'boolean') return 'bool';
  if (isNumber(value)) return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A field that holds another type than it takes. */
export function mismatch(struct: string, field: string, wanted: string, value: Value): Mismatch {
  return { struct, field, wanted, found: describe(value) };
}

/** A field that takes an integer and holds something else, maybe a number that does not fit: `number 600.5`. */
export function notInteger(struct: string, field: string, wanted: string, value: Value): Mismatch {
  const found = isNumber(value) ? `number ${formatNumber(value)}` : describe(value);
  return { struct, field, wanted, found };
}

/** A field whose text cannot be read as what it stands for. */
export function unreadable(struct: string, field: string, wanted: string, problem: string): Mismatch {
  return { struct, field, wanted, found: 'string', problem };
}

/** The same mismatch seen from one field further up. */
export function under(field: string, found: Mismatch): Mismatch {
  return { ...found, field: `${field}.${found.field}` };
}

/** The mismatch as the caller gets it, with the message that clients know. */
export function asTypeMismatch(found: Mismatch | undefined): TypeMismatch | undefined {
  if (found === undefined) return undefined;
  const { struct, field, wanted, problem } = found;
  const words = `json: cannot unmarshal ${found.found} into Go struct field ${struct}.${field} of type ${wanted}`;
  return { field, found: found.found, wanted, message: problem ?? words };
}
