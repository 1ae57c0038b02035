/**
 * Takes numbers of a body as they are written, where their values are printed otherwise: the integers of a typed kind are
 * refused in these words, and its quantities keep all digits and the exponent.
 */
import type { WrittenNumber } from '../../codec/json.js';
import type { JsonObject, JsonValue, Schema } from '../../contract/index.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import type { ServedResource } from '../../resource/served-resource.js';
import { objectMetaSchema } from '../../schema/object-meta.js';

/**
 * Makes the first integer that is written as `2.0`, `1e3` or `1.50` a value that no integer field takes, in place, so that its
 * decoder refuses it in its own words. Returns what puts the number as it was written into these words. Quantities
 * before it become the texts that they are written as.
 */
export function takeAsWritten(
  resource: ServedResource,
  value: JsonObject,
  decimals: readonly WrittenNumber[],
): (problem: string) => string {
  if (resource.module.decoding !== 'typed') return (problem) => problem;
  if (decimals.length === 0) return (problem) => problem;
  const schema = { ...resource.schema, properties: { ...resource.schema.properties, metadata: objectMetaSchema } };
  const written = decimals.find((decimal) => spoil(value, { schema, holder: undefined }, decimal));
  return (problem) => (written ? problem.replace(`number ${Number.NaN}`, `number ${written.text}`) : problem);
}

/** A schema, and the shared type that it is within: where a reference back to that ends, its schema goes on. */
interface Shape {
  readonly schema: Schema;
  readonly holder: Schema | undefined;
}

/** The shape of what is below another, where there is a schema for it. */
function below({ schema: above, holder: outer }: Shape, schema: Schema | undefined): Shape | undefined {
  if (schema === undefined) return undefined;
  const holder = above['x-kindforge-type'] === undefined ? outer : above;
  const within = schema['x-kindforge-within'];
  if (within === undefined || within !== holder?.['x-kindforge-type']) return { schema, holder };
  return { schema: schema['x-kindforge-or'] === 'schemas' ? { ...holder, items: schema } : holder, holder };
}

/**
 * Takes the number at a path as it is written, and returns whether that is an integer, which is then spoilt. Keys may hold
 * what separates them, so values lead the way.
 */
function spoil(value: JsonValue | undefined, shape: Shape | undefined, { path, text }: WrittenNumber): boolean {
  if (!shape) return false;
  if (Array.isArray(value)) {
    const [head = '', index = ''] = /^\[(\d+)\]/.exec(path) ?? [];
    const rest = path.slice(head.length);
    const items = below(shape, shape.schema.items);
    if (rest !== '') return spoil(value[Number(index)], items, { path: rest.replace(/^\./, ''), text });
    const instead = head === '' ? undefined : insteadOf(items, text);
    if (instead !== undefined) value[Number(index)] = instead;
    return Number.isNaN(instead);
  }
  if (!isObject(value)) return false;
  return Object.keys(value).some((key) => path.startsWith(key) && spoilMember(value, key, shape, { path, text }));
}

function spoilMember(value: JsonObject, key: string, shape: Shape, { path, text }: WrittenNumber): boolean {
  const { properties, additionalProperties } = shape.schema;
  const member = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const child = below(shape, member ?? values);
  const rest = path.slice(key.length);
  if (rest !== '') {
    return /^[.[]/.test(rest) && spoil(getOwn(value, key), child, { path: rest.replace(/^\./, ''), text });
  }
  const instead = insteadOf(child, text);
  if (instead !== undefined) setOwn(value, key, instead);
  return Number.isNaN(instead);
}

/** The value that a number so written is replaced by: NaN as an integer, its text as a quantity. */
function insteadOf(shape: Shape | undefined, text: string): number | string | undefined {
  if (shape === undefined) return undefined;
  const { type, format, 'x-kubernetes-int-or-string': either } = shape.schema;
  if (type === 'integer' || either === true) return Number.NaN;
  return format === 'quantity' ? text : undefined;
}
