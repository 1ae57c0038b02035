/** The mistake of a value that a typed kind cannot hold. It collects its path on the way up to the object's root. */
import type { CauseReason, FieldError, JsonValue, Schema, TypeMismatch } from '../../contract/index.js';
import { type BadValue, invalidValue } from '../../objects/field-error.js';
import { formatNumber } from '../../objects/printing.js';
import { libraryIn } from '../types-by-version.js';
import { isNumber } from './value.js';

/** An object around the mistake, and whether that object is an item or an entry of its field. */
interface Struct {
  readonly schema: Schema;
  isElement: boolean;
}

/** A mistake collects its fields and objects on the way up. So names cost nothing without mistakes. */
export class Mistake {
  /** The names from the bottom up, without indexes and keys of maps. */
  readonly #fields: string[] = [];
  readonly #structs: Struct[] = [];
  #isElement = false;

  /**
   * `wanted` is the name of a type, or the schema of the value. `problem` is the whole message, if it is not about
   * types.
   */
  private constructor(
    private readonly found: string,
    private readonly wanted: string | Schema,
    private readonly problem?: string,
  ) {}

  /** Makes the mistake of a value of the wrong type. */
  static ofType(wanted: string | Schema, value: JsonValue): Mistake {
    return new Mistake(describe(value), wanted);
  }

  /** Makes the mistake of a value that is not an integer, or does not fit: `number 600.5`. */
  static ofNumber(wanted: string | Schema, value: JsonValue): Mistake {
    return new Mistake(isNumber(value) ? `number ${formatNumber(value)}` : describe(value), wanted);
  }

  /** Makes the mistake of a text in the wrong format. */
  static ofText(wanted: string | Schema, problem: string): Mistake {
    return new Mistake('string', wanted, problem);
  }

  /** Makes the mistake of an object with too many nested objects of its own type. */
  static ofDepth(): Mistake {
    return new Mistake('object', '', 'exceeded max depth');
  }

  inField(name: string): this {
    this.#fields.push(name);
    return this;
  }

  inStruct(schema: Schema): this {
    this.#structs.push({ schema, isElement: false });
    return this;
  }

  /** Adds an item of a list or an entry of a map to the path. */
  inElement(): this {
    const struct = this.#structs.at(-1);
    if (struct === undefined) this.#isElement = true;
    else struct.isElement = true;
    return this;
  }

  /** Returns the mismatch for the caller, with the message that clients know. */
  toMismatch(names: { readonly kind: string; readonly version: string }): TypeMismatch {
    const { found, problem } = this;
    const fields = [...this.#fields].reverse();
    const field = fields.join('.');
    const struct = this.#structName(fields, names.kind);
    const wanted =
      typeof this.wanted === 'string'
        ? this.wanted
        : this.#wantedIn(this.wanted, struct, fields.at(-1) ?? '', names.version);
    const words = `json: cannot unmarshal ${found} into Go struct field ${struct}.${field} of type ${wanted}`;
    return { field, found, wanted, message: problem ?? words };
  }

  /** Returns the name of the innermost object. */
  #structName(fields: readonly string[], kind: string): string {
    return [...this.#structs].reverse().reduce((parent, { schema, isElement }, i) => {
      const name = fields[i] ?? '';
      return isElement ? itemStructName(schema, parent, name) : structName(schema, parent, name);
    }, kind);
  }

  #wantedIn(schema: Schema, struct: string, field: string, version: string): string {
    const { type, items, additionalProperties: values } = schema;
    const inner = type === 'array' ? (items ?? schema) : typeof values === 'object' ? values : undefined;
    if (inner !== undefined) return wantedType(schema, itemStructName(inner, struct, field), version);
    const own = this.#isElement ? itemStructName(schema, struct, field) : structName(schema, struct, field);
    return wantedType(schema, type === 'object' ? own : '', version);
  }
}

/** Returns the name of a value's type: `string`, `number`, `bool`, `object`, `array`. */
function describe(value: JsonValue): string {
  if (typeof value === 'boolean') return 'bool';
  if (isNumber(value)) return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}

const scalars: Readonly<Record<string, string>> = { string: 'string', boolean: 'bool', number: 'float64' };

/** Returns the name of an object's type: the name of its shared type, or a name made from its place. */
function structName(schema: Schema, parent: string, field: string): string {
  return ownTypeName(schema) ?? `${parent}${pascal(field)}`;
}

/** Returns the type name of an item in a list or map that is a field of a struct. */
function itemStructName(schema: Schema, parent: string, field: string): string {
  return ownTypeName(schema) ?? `${parent}${singular(pascal(field))}`;
}

/**
 * Returns the package of a shared type for messages that print whole values: `storage` for `storage/v1#/TokenRequest`.
 */
export function packageName(schema: Schema): string | undefined {
  return schema['x-kindforge-type']?.split('#/')[0]?.split('/')[0];
}

/** Returns the name of a shared type without its library. */
export function ownTypeName(schema: Schema): string | undefined {
  return namedType(schema['x-kindforge-type'])?.name;
}

/**
 * Splits a shared type (`storage/v1#/TokenRequest`) into its own name and the last part of its library, the version.
 */
function namedType(shared: string | undefined, version?: string): { name: string; library: string } | undefined {
  if (shared === undefined) return undefined;
  const [written = '', name] = shared.split('#/');
  const library = version === undefined ? written : libraryIn(version, written);
  if (name !== undefined) return { name, library: library.split('/').at(-1) ?? '' };
  const parts = library.split('/');
  return { name: parts.at(-1) ?? '', library: parts.at(-2) ?? '' };
}

/** Returns the type of a field for messages. `struct` is the name of its type if it is an object. */
function wantedType(schema: Schema, struct: string, version: string): string {
  const { type, format, items, additionalProperties: values } = schema;
  const shared = namedType(schema['x-kindforge-type'] ?? schema['x-kindforge-within'], version);
  if (type === 'string' && format === 'byte') return '[]uint8';
  if (type === 'array') return `[]${items === undefined ? 'interface {}' : wantedType(items, struct, version)}`;
  if (shared !== undefined) return `${shared.library || version}.${shared.name}`;
  if (schema['x-kubernetes-int-or-string'] === true) return 'intstr.IntOrString';
  if (type === 'integer') return format ?? 'int64';
  if (type === undefined || schema['x-kubernetes-preserve-unknown-fields'] === true) return 'map[string]interface {}';
  if (typeof values === 'object') return `map[string]${wantedType(values, struct, version)}`;
  return values === true ? 'map[string]interface {}' : (scalars[type] ?? `${version}.${struct}`);
}

/** Converts `max-surge` → `MaxSurge`. Keeps only ASCII letters and digits. Returns `Value` if nothing is left. */
export function pascal(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return joined === '' ? 'Value' : joined;
}

/**
 * Returns the name for one item of a list: `Containers` → `Container`, `Policies` → `Policy`, `Addresses` →
 * `Address`.
 */
function singular(name: string): string {
  if (/[^aeiou]ies$/.test(name)) return `${name.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x)es$/.test(name)) return name.slice(0, -2);
  if (/[^su]s$/.test(name) && name.length > 2) return name.slice(0, -1);
  return `${name}Item`;
}

/** The beginnings of messages, with the reason of each. */
const beginnings: readonly (readonly [beginning: string, reason: CauseReason])[] = [
  ['Required value', 'FieldValueRequired'],
  ['Invalid value', 'FieldValueInvalid'],
  ['Unsupported value', 'FieldValueNotSupported'],
  ['Duplicate value', 'FieldValueDuplicate'],
  ['Forbidden', 'FieldValueForbidden'],
  ['Too long', 'FieldValueTooLong'],
  ['Too many', 'FieldValueTooMany'],
];

/** Returns the message of a definition for a keyword. */
export function wordsFor(schema: Schema, keyword: string): string | undefined {
  const messages = schema['x-kindforge-messages'];
  return messages !== undefined && Object.hasOwn(messages, keyword) ? messages[keyword] : undefined;
}

/**
 * Makes an error from a definition's message. If the message begins like a whole message (`Forbidden: …`,
 * `Too long: …`), uses it unchanged with the reason of that beginning. Otherwise uses it as the detail of an invalid
 * value.
 */
export function worded(path: string, value: BadValue, words: string): FieldError {
  const reason = beginnings.find(([beginning]) => words === beginning || words.startsWith(`${beginning}: `))?.[1];
  return reason === undefined ? invalidValue(path, value, words) : { reason, field: path, message: words };
}
