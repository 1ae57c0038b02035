/** A value that a typed kind cannot hold, on its way up to the object's root. */
import type { JsonValue, Schema, TypeMismatch } from '../../contract/index.js';
import { formatNumber } from '../../objects/printing.js';
import { itemStructName, structName, wantedType } from './type-names.js';
import { isNumber } from './value.js';

/** An object that the mistake is in, and whether that is an item or an entry of its field. */
interface Struct {
  readonly schema: Schema;
  isElement: boolean;
}

/**
 * A mistake learns on its way up which fields and objects it is in, so that nothing about names has to be known where
 * there is no mistake.
 */
export class Mistake {
  /** From the bottom up; indexes and keys of maps are not told. */
  readonly #fields: string[] = [];
  readonly #structs: Struct[] = [];
  #isElement = false;

  /** `wanted` is the name of a type, or the schema of the value; `problem` the whole message, if it is not about types. */
  private constructor(
    private readonly found: string,
    private readonly wanted: string | Schema,
    private readonly problem?: string,
  ) {}

  /** A value of another type than wanted. */
  static ofType(wanted: string | Schema, value: JsonValue): Mistake {
    return new Mistake(describe(value), wanted);
  }

  /** A value that is not an integer, or one that does not fit: `number 600.5`. */
  static ofNumber(wanted: string | Schema, value: JsonValue): Mistake {
    return new Mistake(isNumber(value) ? `number ${formatNumber(value)}` : describe(value), wanted);
  }

  /** A text that cannot be read as what it stands for. */
  static ofText(wanted: string | Schema, problem: string): Mistake {
    return new Mistake('string', wanted, problem);
  }

  /** An object that holds more objects of its own type than are read. */
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

  /** The value, or the object that the mistake was in last, is an item of a list or an entry of a map. */
  inElement(): this {
    const struct = this.#structs.at(-1);
    if (struct === undefined) this.#isElement = true;
    else struct.isElement = true;
    return this;
  }

  /** Returns the mistake as the caller of a kind gets it, with the message that clients know. */
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
