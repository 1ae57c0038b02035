/**
 * Refuses numbers of a body that are whole by value, but not by how they are written, where a typed kind has
 * integers.
 */
import type { WholeDecimal } from '../../codec/json.js';
import type { JsonObject, JsonValue, Schema } from '../../contract/index.js';
import { getOwn, isObject, setOwn } from '../../objects/guards.js';
import { objectMetaSchema } from '../../schema/object-meta.js';
import type { ServedResource } from '../served-resource.js';

/**
 * Makes the first integer that is written as `2.0` or `1e3` a value that no integer field takes, in place, so that its
 * decoder refuses it in its own words. Returns what puts the number as it was written into these words.
 */
export function spoilWrittenNumber(
  resource: ServedResource,
  value: JsonObject,
  decimals: readonly WholeDecimal[],
): (problem: string) => string {
  if (resource.module.decoding !== 'typed') return (problem) => problem;
  if (decimals.length === 0) return (problem) => problem;
  const schema = { ...resource.schema, properties: { ...resource.schema.properties, metadata: objectMetaSchema } };
  const written = decimals.find(({ path }) => spoil(value, { schema, holder: undefined }, path));
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
 * Whether the path leads to an integer, which is then spoilt. Keys may hold what separates them, so values lead the
 * way.
 */
function spoil(value: JsonValue | undefined, shape: Shape | undefined, path: string): boolean {
  if (!shape) return false;
  if (Array.isArray(value)) {
    const [head = '', index = ''] = /^\[(\d+)\]/.exec(path) ?? [];
    const rest = path.slice(head.length);
    const items = below(shape, shape.schema.items);
    if (rest !== '') return spoil(value[Number(index)], items, rest.replace(/^\./, ''));
    if (head !== '' && isInteger(items)) value[Number(index)] = Number.NaN;
    return head !== '' && isInteger(items);
  }
  if (!isObject(value)) return false;
  return Object.keys(value).some((key) => path.startsWith(key) && spoilMember(value, key, shape, path));
}

function spoilMember(value: JsonObject, key: string, shape: Shape, path: string): boolean {
  const { properties, additionalProperties } = shape.schema;
  const member = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  const child = below(shape, member ?? values);
  const rest = path.slice(key.length);
  if (rest !== '') return /^[.[]/.test(rest) && spoil(getOwn(value, key), child, rest.replace(/^\./, ''));
  if (!isInteger(child)) return false;
  setOwn(value, key, Number.NaN);
  return true;
}

const isInteger = (shape: Shape | undefined): boolean =>
  shape?.schema.type === 'integer' || shape?.schema['x-kubernetes-int-or-string'] === true;
