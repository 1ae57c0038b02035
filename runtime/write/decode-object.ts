/** Decodes the whole object in the body of a create or a replacement. */

import { unknownRemarks } from '../codec/field-remarks.js';
import type { WrittenNumber } from '../codec/json.js';
import type { ApiObject, Failure, JsonObject, JsonValue, Result, Schema } from '../contract/index.js';
import { getOwn, isArray, isObject, setOwn } from '../objects/guards.js';
import { requestEntityTooLarge } from '../objects/status.js';
import type { Steps } from '../objects/turns.js';
import type { DecodedBody } from '../request/body.js';
import { type VerbRequest, warn } from '../request/verb-request.js';
import type { ResourceNames, VersionCode } from '../resource/served-resource.js';
import { objectMetaSchema } from '../schema/object-meta.js';
import { checkKind, notOfResource, toObject } from './decode.js';
import { unknownInItsVersion } from './object-meta.js';
import type { FieldValidation } from './write.js';

/** Decodes the object in a body, and reports unknown and duplicate fields at the wanted level. */
export function* decodeObject(verb: VerbRequest, body: DecodedBody, level: FieldValidation): Steps<Result<ApiObject>> {
  const { resource, services } = verb;
  const tooLarge = listSizeFailure(resource, body.value, body.bytes.length);
  if (tooLarge) return { ok: false, failure: tooLarge };
  const value = checkKind(resource, body.value, body.bytes, services.knowsKind);
  if (!value.ok) {
    const refused = isObject(body.value)
      ? reportOtherVersion(
          verb,
          level,
          body.value,
          (unknown) => body.remarks(unknown),
          (unknown) => body.strictRemarks(unknown),
        )
      : undefined;
    return refused ? { ok: false, failure: refused } : value;
  }
  const asWritten = takeAsWritten(resource, value.value, body.decimals);
  const decoded = toObject(resource, value.value);
  if (!decoded.ok) return { ok: false, failure: notOfResource(resource, asWritten(decoded.problem)) };
  const { unknownFields } = decoded.value;
  yield;
  if (level === 'Ignore') return { ok: true, value: recorded(verb, decoded.value.object) };
  const refused = reportFields(verb, level, body.remarks(unknownFields), () => body.strictRemarks(unknownFields));
  yield;
  return refused ? { ok: false, failure: refused } : { ok: true, value: recorded(verb, decoded.value.object) };
}

/** Returns the object after the recorder has seen it, because later steps change it. */
function recorded({ services: { recorder }, request, resource }: VerbRequest, object: ApiObject): ApiObject {
  recorder?.object(request, object, resource.module.decoding === 'typed');
  return object;
}

/**
 * Reports the problems of a decoded body at the wanted level. `listed` returns them as a refusal lists them. `written`
 * is the body's version if it is not the resource's.
 */
export function reportFields(
  verb: VerbRequest,
  level: FieldValidation,
  problems: readonly string[],
  listed: () => readonly string[] = () => problems,
  written?: string,
): Failure | undefined {
  if (problems.length === 0 || level === 'Ignore') return undefined;
  if (level === 'Strict') return notOfResource(verb.resource, `strict decoding error: ${listed().join(', ')}`, written);
  for (const problem of problems) warn(verb, problem);
  return undefined;
}

/**
 * Reports the fields that a body's own version does not know, if that is not the resource's version. Call it before the
 * refusal of the version. `told` returns all remarks for these unknown fields.
 */
export function reportOtherVersion(
  verb: VerbRequest,
  level: FieldValidation,
  body: JsonObject,
  told: (unknown: readonly string[]) => readonly string[],
  listed = told,
): Failure | undefined {
  if (level === 'Ignore' || typeof body.apiVersion !== 'string') return undefined;
  const unknown = unknownInItsVersion(verb.resource, body);
  if (unknown === undefined) return undefined;
  return reportFields(verb, level, told(unknown), () => listed(unknown), body.apiVersion);
}

/** Returns remarks on unknown fields of an object that the server made, such as a patched object. */
export const unknownOf = ({ resource }: VerbRequest, paths: readonly string[]): readonly string[] =>
  unknownRemarks(paths, resource.module.decoding);

/** The most objects in lists. Real objects have names, so the store's size limit allows fewer of them. */
export const mostListedObjects = 50_000;

/** An object in a list takes at least two bytes, in protobuf. */
const fewestBytes = 2 * mostListedObjects;

/**
 * Refuses a value of a built-in kind that has too many objects in lists. Custom resources have no such limit, because
 * compiled code validates them. Skips bodies with too few `bytes` for so many objects.
 */
export function listSizeFailure({ module }: ResourceNames, value: JsonValue, bytes = fewestBytes): Failure | undefined {
  if (module.decoding !== 'typed' || bytes < fewestBytes || listedObjects(value) <= mostListedObjects) return undefined;
  return requestEntityTooLarge(`limit is ${mostListedObjects} objects in the lists of an object`);
}

/** Counts objects that are items of lists, at any depth, until there are too many. */
function listedObjects(value: JsonValue): number {
  let count = 0;
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isArray(next)) {
      for (const item of next) {
        if (typeof item !== 'object' || item === null) continue;
        if (isObject(item) && ++count > mostListedObjects) return count;
        open.push(item);
      }
    } else if (isObject(next)) {
      for (const name in next) {
        const member = next[name];
        if (typeof member === 'object' && member !== null) open.push(member);
      }
    }
  }
  return count;
}

// Keeps numbers as the client wrote them. Refusals quote integers of typed kinds in this form, and quantities keep all
// digits and the exponent.

/**
 * Replaces the first integer in a form like `2.0`, `1e3` or `1.50` by NaN, in place, so that the decoder refuses it.
 * Returns a function that puts the client's form into the message. Quantities before this integer become text.
 */
export function takeAsWritten(
  resource: ResourceNames & VersionCode,
  value: JsonObject,
  decimals: readonly WrittenNumber[],
): (problem: string) => string {
  if (resource.module.decoding !== 'typed') return (problem) => problem;
  if (decimals.length === 0) return (problem) => problem;
  const schema = { ...resource.schema, properties: { ...resource.schema.properties, metadata: objectMetaSchema } };
  const written = decimals.find((decimal) => spoil(value, { schema, holder: undefined }, decimal));
  return (problem) => (written ? problem.replace(`number ${Number.NaN}`, `number ${written.text}`) : problem);
}

/** A schema, and the shared type around it. A reference back to that type continues with the type's schema. */
interface Shape {
  readonly schema: Schema;
  readonly holder: Schema | undefined;
}

/** Returns the shape of a child schema, if there is one. */
function below({ schema: above, holder: outer }: Shape, schema: Schema | undefined): Shape | undefined {
  if (schema === undefined) return undefined;
  const holder = above['x-kindforge-type'] === undefined ? outer : above;
  const within = schema['x-kindforge-within'];
  if (within === undefined || within !== holder?.['x-kindforge-type']) return { schema, holder };
  return { schema: schema['x-kindforge-or'] === 'schemas' ? { ...holder, items: schema } : holder, holder };
}

/**
 * Replaces the number at a path. Returns whether it is an integer, which is now NaN. Keys may contain dots and
 * brackets, so this matches the path with the keys of the value.
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

/** Returns the value to replace such a number by: NaN for an integer, its text for a quantity. */
function insteadOf(shape: Shape | undefined, text: string): number | string | undefined {
  if (shape === undefined) return undefined;
  const { type, format, 'x-kubernetes-int-or-string': either } = shape.schema;
  if (type === 'integer' || either === true) return Number.NaN;
  return format === 'quantity' ? text : undefined;
}
