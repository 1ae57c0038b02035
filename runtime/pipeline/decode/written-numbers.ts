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
  const written = decimals.find(({ path }) => spoil(value, schema, path));
  return (problem) => (written ? problem.replace(`number ${Number.NaN}`, `number ${written.text}`) : problem);
}

/**
 * Whether the path leads to an integer, which is then spoilt. Keys may hold what separates them, so values lead the
 * way.
 */
function spoil(value: JsonValue | undefined, schema: Schema | undefined, path: string): boolean {
  if (!schema) return false;
  if (Array.isArray(value)) {
    const [head = '', index = ''] = /^\[(\d+)\]/.exec(path) ?? [];
    const rest = path.slice(head.length);
    if (rest !== '') return spoil(value[Number(index)], schema.items, rest.replace(/^\./, ''));
    if (head !== '' && isInteger(schema.items)) value[Number(index)] = Number.NaN;
    return head !== '' && isInteger(schema.items);
  }
  if (!isObject(value)) return false;
  return Object.keys(value).some((key) => path.startsWith(key) && spoilMember(value, key, schema, path));
}

function spoilMember(value: JsonObject, key: string, schema: Schema, path: string): boolean {
  const { properties, additionalProperties } = schema;
  const member = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const child = member ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  const rest = path.slice(key.length);
  if (rest !== '') return /^[.[]/.test(rest) && spoil(getOwn(value, key), child, rest.replace(/^\./, ''));
  if (!isInteger(child)) return false;
  setOwn(value, key, Number.NaN);
  return true;
}

const isInteger = (schema: Schema | undefined): boolean =>
  schema?.type === 'integer' || schema?.['x-kubernetes-int-or-string'] === true;
