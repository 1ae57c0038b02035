/** Random objects of a schema, most of them with a value at one place. They do not use the gate's own maker. */
import fc from 'fast-check';
import type { JsonObject, JsonValue, Schema } from '../../../runtime/contract/index.js';

const TEXTS = [
  'a',
  'b',
  '',
  'ab',
  'a-b',
  'forbidden',
  '1',
  '10',
  'another',
  'A',
  'abcde',
  'x/y',
  'a.example.com',
  '1h',
  '10%',
];

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2001-02-03T04:05:06Z', '2020-01-01T00:00:00.5Z'],
  date: ['2001-02-03'],
  ipv4: ['1.2.3.4', '10.0.0.1'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000'],
  byte: ['YQ=='],
  uri: ['http://a.example.com/b'],
};

const matching = new Map<string, readonly string[]>();

function textsOf(pattern: string): readonly string[] {
  const known = matching.get(pattern);
  if (known !== undefined) return known;
  let texts: readonly string[] = [];
  try {
    texts = fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { seed: 7, numRuns: 30 });
  } catch {
    // If JavaScript does not know a pattern, a text matches it only by chance.
  }
  matching.set(pattern, texts);
  return texts;
}

/** Makes objects. The same source of numbers gives the same objects. */
export class ObjectMaker {
  private made = 0;

  constructor(private readonly random: () => number) {}

  /** Makes an object that usually has a value at `place`. */
  object(schema: Schema, place: readonly string[], head: JsonObject): JsonObject {
    this.made = 0;
    const { apiVersion: _a, kind: _k, metadata: _m, ...body } = this.fields(schema, place);
    return { ...head, metadata: { name: 'a' }, ...body };
  }

  private chance(likelihood: number): boolean {
    return this.random() < likelihood;
  }

  private pick<T>(values: readonly T[], otherwise: T): T {
    return values[Math.floor(this.random() * values.length)] ?? otherwise;
  }

  private value(schema: Schema, place: readonly string[] | undefined): JsonValue {
    this.made++;
    if (schema.nullable === true && this.chance(0.2)) return null;
    if (schema.enum && this.chance(0.95)) return this.pick(schema.enum, null);
    if (schema['x-kubernetes-int-or-string'] === true) return this.pick<JsonValue>([1, 'a', '10%', 80, 0], 1);
    switch (schema.type) {
      case 'string':
        return this.text(schema);
      case 'integer':
        return Math.round(this.number(schema));
      case 'number':
        return this.number(schema);
      case 'boolean':
        return this.chance(0.5);
      case 'array':
        return this.list(schema, place);
      case 'object':
        return this.fields(schema, place);
      default:
        return this.pick<JsonValue>([1, 'a', true, {}, { a: 'b' }, []], 1);
    }
  }

  private text({ format, pattern, minLength = 0, maxLength }: Schema): string {
    const made = [...(pattern === undefined ? [] : textsOf(pattern)), ...(FORMATS[format ?? ''] ?? [])];
    if (made.length > 0 && this.chance(0.85)) return this.pick(made, '');
    if (this.chance(0.5)) return this.pick(TEXTS, 'a');
    const longest = Math.min(300, Number(maxLength ?? Number(minLength) + 6));
    const least = Number(minLength);
    const length = least + Math.round(this.random() * Math.max(0, longest - least));
    return this.pick(['a', '1', 'b'], 'a').repeat(this.chance(0.3) ? longest : length);
  }

  private number({ minimum, maximum }: Schema): number {
    const low = Number(minimum ?? (maximum === undefined ? -3 : Number(maximum) - 8));
    const high = Number(maximum ?? low + 8);
    if (this.chance(0.3)) return this.chance(0.5) ? low : high;
    return low + Math.floor(this.random() * (Math.min(high, low + 1_000) - low + 1));
  }

  private list(
    { items = {}, minItems = 0, maxItems = Number(minItems) + 4 }: Schema,
    place?: readonly string[],
  ): JsonValue[] {
    const inner = place?.[0] === '[]' ? place.slice(1) : undefined;
    const least = place === undefined ? Number(minItems) : Math.max(Number(minItems), 1);
    const most = this.made > 500 ? least : Math.min(Number(maxItems), least + 5);
    const count = this.chance(0.2) ? most : least + Math.floor(this.random() * (Math.max(0, most - least) + 1));
    const list = Array.from({ length: Math.max(count, this.chance(0.95) ? 0 : 1) }, () => this.value(items, inner));
    const [first] = list;
    return first !== undefined && list.length < maxItems && this.chance(0.15) ? [...list, first] : list;
  }

  private fields(schema: Schema, place: readonly string[] | undefined): JsonObject {
    const object: JsonObject = {};
    const [next, ...rest] = place ?? [];
    const asked = new Set([...(schema.required ?? []), ...this.askedBy(schema)]);
    const isPlace = place !== undefined && next === undefined;
    for (const [name, child] of Object.entries(schema.properties ?? {})) {
      const isNext = name === next;
      const likelihood = isNext ? 0.95 : asked.has(name) ? 0.97 : this.made > 400 ? 0 : isPlace ? 0.4 : 0.06;
      if (this.chance(likelihood)) object[name] = this.value(child, isNext ? rest : undefined);
    }
    if (typeof schema.additionalProperties === 'object') {
      const { minProperties = 0, maxProperties = Number(minProperties) + 4 } = schema;
      const least = Math.max(Number(minProperties), next === '[]' ? 1 : 0);
      const count =
        least + Math.floor(this.random() * (Math.max(0, Math.min(Number(maxProperties), least + 4) - least) + 1));
      for (let at = 0; at < count; at++)
        object[`k${at}`] = this.value(schema.additionalProperties, next === '[]' ? rest : undefined);
    } else if (schema['x-kubernetes-preserve-unknown-fields'] === true && this.chance(0.5)) object.unknown = 'a';
    return object;
  }

  /** Lists the fields that one of the alternatives requires. */
  private askedBy({ oneOf = [], anyOf = [], allOf = [] }: Schema): readonly string[] {
    const chosen = [
      ...(oneOf.length > 0 ? [this.pick(oneOf, {})] : []),
      ...(anyOf.length > 0 ? [this.pick(anyOf, {})] : []),
      ...allOf,
    ];
    return chosen.flatMap((branch) => [...(branch.required ?? []), ...this.askedBy(branch)]);
  }
}
