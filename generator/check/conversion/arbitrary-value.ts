/** Makes values of a schema, the same for the same source of numbers. */
import type { JsonObject, JsonValue, Schema } from '../../../runtime/contract/index.js';
import { setOwn } from '../../../runtime/objects/guards.js';
import { takesValue } from '../../../runtime/schema/index.js';
import { textMatching } from './arbitrary-text.js';
import type { Limits } from './limits.js';

export interface ValueOptions {
  readonly random: () => number;
  /** The probability that a field is set, from 0 to 1. */
  readonly density: number;
  /** Returns whether an optional field at a path is left out. */
  readonly isOfNoInterest: (path: string, schema: Schema) => boolean;
  /** Texts that the conversion treats specially. */
  readonly texts?: readonly string[];
  /** Values that another version may refuse. Default: none. */
  readonly limits?: Limits | undefined;
  /** Whether values are computed from numbers, so that the limits of their types matter. */
  readonly edges?: boolean;
}

/** Maximum number of values in one object; after that, lists and maps are empty. */
const MAX_VALUES = 4_000;

/** Makes the values of one object, and counts them. */
export class ValueMaker {
  private made = 0;

  constructor(private readonly options: ValueOptions) {}

  /** Makes an object of a schema, without its kind. */
  object({ properties = {}, required = [] }: Schema, path = ''): JsonObject {
    const object: JsonObject = {};
    for (const [name, schema] of Object.entries(properties)) {
      if (path === '' && ['apiVersion', 'kind', 'metadata'].includes(name)) continue;
      const place = path === '' ? name : `${path}.${name}`;
      const isRequired = required.includes(name);
      if (this.options.isOfNoInterest(place, schema) && !isRequired) continue;
      if (this.options.random() >= this.options.density && !isRequired) continue;
      setOwn(object, name, this.value(schema, place));
    }
    return object;
  }

  /** Makes a value of a schema. */
  value(schema: Schema, path: string): JsonValue {
    this.made++;
    if (schema.enum && schema.enum.length > 0) return this.pick(schema.enum);
    if (schema['x-kubernetes-int-or-string']) return this.pickFitting(schema, [7, 'a', '7', 80]);
    switch (schema.type) {
      case 'boolean':
        return this.pick([true, false]);
      case 'integer':
        return this.integer(schema);
      case 'number':
        return this.atLimit(schema, this.limits.numbers) ?? this.pickFitting(schema, [0.5, 2, 7.25]);
      case 'array':
        return this.list(schema, path);
      case 'object':
        return this.map(schema, path);
      default:
        return schema.type === 'string' ? this.text(schema) : this.map(schema, path);
    }
  }

  private integer(schema: Schema): JsonValue {
    const { minimum, maximum, multipleOf = 1 } = schema;
    const whole = this.limits.numbers.filter((number) => Number.isInteger(Number(number)) && hasSize(schema, number));
    const limit = this.atLimit(schema, whole);
    if (limit !== undefined) return limit;
    const isEdge = this.options.edges === true && this.options.random() < 0.3;
    const edges = isEdge ? EDGES.filter((edge) => hasSize(schema, edge) && takesValue(schema, edge)) : [];
    if (edges.length > 0) return this.pick(edges);
    // Every integer is a multiple of a fraction.
    const step = Math.max(1, Math.trunc(Number(multipleOf)));
    const lowest = Math.ceil((minimum === undefined ? 1 : Number(minimum)) / step);
    const highest = Math.floor(maximum === undefined ? lowest + 100 : Number(maximum) / step);
    return step * (lowest + Math.floor(this.options.random() * (highest - lowest + 1)));
  }

  private text(schema: Schema): string {
    const { format, pattern, 'x-kindforge-time': time } = schema;
    if (format === 'date-time') return time === 'micros' ? '2001-02-03T04:05:06.000007Z' : '2001-02-03T04:05:06Z';
    if (format === 'quantity') return this.pick(['1', '250m', '3Gi', '20k']);
    if (format === 'byte') return this.pick(['YQ==', 'YWI=']);
    if (format === 'duration') return this.pick(['30s', '1m30s', '2h']);
    const limit = this.atLimit(schema, this.limits.texts);
    if (limit !== undefined) return limit;
    const made = pattern === undefined ? undefined : textMatching(pattern, this.options.random);
    const { texts = [] } = this.options;
    const all = [...TEXTS, ...texts, ...(made === undefined ? [] : [made, made])];
    return this.pickFitting(schema, all, TEXTS);
  }

  private get limits(): Limits {
    return this.options.limits ?? NO_LIMITS;
  }

  /** Returns, now and then, a value at a limit of another version, if the schema allows it. */
  private atLimit<T extends JsonValue>(schema: Schema, values: readonly T[]): T | undefined {
    if (values.length === 0 || this.options.random() >= 0.3) return undefined;
    const fitting = values.filter((value) => takesValue(schema, value));
    return fitting.length === 0 ? undefined : this.pick(fitting);
  }

  /** Returns how many items or entries to make. */
  private size(usual: number, least: number, most: number): number {
    const sizes = this.limits.sizes.filter((size) => size >= least && size <= most);
    const limit = sizes.length === 0 || this.options.random() >= 0.3 ? undefined : this.pick(sizes);
    return limit ?? Math.min(Math.max(usual, Math.min(least, 2)), most);
  }

  /** Picks one of the values that the schema accepts, or one of `others` if it accepts none. */
  private pickFitting<T extends JsonValue>(schema: Schema, values: readonly T[], others = values): T {
    const fitting = values.filter((value) => takesValue(schema, value));
    return this.pick(fitting.length > 0 ? fitting : others);
  }

  private list({ items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Schema, path: string): JsonValue[] {
    const wanted = this.made > MAX_VALUES ? 0 : Math.ceil(this.options.random() * 2);
    const length = this.made > MAX_VALUES ? 0 : this.size(wanted, Number(minItems), Number(maxItems));
    return Array.from({ length }, () => this.value(items, `${path}[]`));
  }

  private map(schema: Schema, path: string): JsonObject {
    const { properties, additionalProperties } = schema;
    if (properties !== undefined && Object.keys(properties).length > 0) return this.object(schema, path);
    if (this.made > MAX_VALUES) return {};
    const each = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    const made = (): JsonValue => (each ? this.value(each, `${path}[]`) : this.pick([...TEXTS, 3, true]));
    const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
    const entries = [this.pick(KEYS), 'example.com/key', ...MORE_KEYS];
    const size = this.size(2, Number(minProperties), Number(maxProperties));
    return Object.fromEntries(entries.slice(0, size).map((key) => [key, made()]));
  }

  private pick<T>(from: readonly [T, ...T[]] | readonly T[]): T {
    const found = from[Math.floor(this.options.random() * from.length)] ?? from[0];
    if (found === undefined) throw new RangeError('there is nothing to pick from');
    return found;
  }
}

const TEXTS: readonly string[] = ['a', 'b-1', '7', 'x/y', 'Some', 'a.example.com', '10', 'v1', '1.2.3.4', 'a b'];
const KEYS: readonly string[] = ['a', 'b', 'name'];
const MORE_KEYS: readonly string[] = Array.from({ length: 40 }, (_, at) => `key-${at}`);
const NO_LIMITS: Limits = { numbers: [], texts: [], sizes: [] };

/** Whole numbers that computations may get wrong: at the ends of their types, and where doubles are not exact. */
const EDGES: readonly (number | bigint)[] = [0, -1, -7, 2 ** 31 - 1, 2 ** 53 - 1, 2n ** 53n + 1n, 2n ** 63n - 1n];

/** Reports whether an integer fits its format. The decoder checks this, not a keyword of the schema. */
const hasSize = ({ format }: Schema, number: number | bigint): boolean => format !== 'int32' || number <= 2 ** 31 - 1;
