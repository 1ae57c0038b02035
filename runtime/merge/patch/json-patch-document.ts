/** Decodes the body of a JSON Patch (RFC 6902) into operations. */
import type { Failure, JsonObject, JsonValue, Result } from '../../contract/index.js';
import { getOwn, isObject } from '../../objects/guards.js';

/** The most operations in one patch. */
export const MAX_OPERATIONS = 10_000;

/** One operation as sent. Its members may have wrong values, which fail when the operation is applied. */
export type JsonPatchOperation = JsonObject;

/** A decoded patch. */
export interface JsonPatchDocument {
  readonly operations: readonly JsonPatchOperation[];
  /** Paths of unknown members of operations, such as `[0].extra`. */
  readonly unknownMembers: readonly string[];
}

/** The members of an operation that must be strings. */
const STRING_MEMBERS: readonly string[] = ['op', 'path', 'from'];

/**
 * Reads a patch. `null` is the empty patch. Fails with `BadRequest` if the body is not a list of objects, and with
 * `RequestEntityTooLarge` for more than `MAX_OPERATIONS`.
 * @param checked whether to check the types of members and report unknown names, as all levels of field validation
 * except `Ignore` do.
 */
export function decodeJsonPatch(body: JsonValue, checked: boolean): Result<JsonPatchDocument> {
  if (body === null) return { ok: true, value: { operations: [], unknownMembers: [] } };
  if (!Array.isArray(body)) return mismatch(body, checked ? '[]handlers.jsonPatchOp' : 'jsonpatch.Patch', checked);
  if (body.length > MAX_OPERATIONS) return tooMany(body.length);
  const operations: JsonPatchOperation[] = [];
  const unknownMembers: string[] = [];
  for (const [index, item] of body.entries()) {
    if (item !== null && !isObject(item)) {
      return mismatch(item, checked ? 'handlers.jsonPatchOp' : 'jsonpatch.Operation', checked);
    }
    const operation = item ?? {};
    if (checked) {
      const bad = STRING_MEMBERS.find((name) => !isTextOrAbsent(getOwn(operation, name)));
      if (bad !== undefined) return memberMismatch(bad, getOwn(operation, bad) ?? null);
      reportUnknown(operation, index, unknownMembers);
    }
    operations.push(operation);
  }
  return { ok: true, value: { operations, unknownMembers } };
}

function isTextOrAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

function reportUnknown(operation: JsonPatchOperation, index: number, unknown: string[]): void {
  for (const name of Object.keys(operation)) {
    if (name !== 'value' && !STRING_MEMBERS.includes(name)) unknown.push(`[${index}].${name}`);
  }
}

/** Returns the name of a value's JSON type in messages. */
export function jsonTypeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/** Returns the failure of a body that does not decode. */
export function undecodable(reason: string, checked: boolean): { readonly ok: false; readonly failure: Failure } {
  return {
    ok: false,
    failure: { reason: 'BadRequest', message: checked ? `error decoding patch: ${reason}` : reason },
  };
}

function mismatch(value: JsonValue, wanted: string, checked: boolean): Result<never> {
  return undecodable(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${wanted}`, checked);
}

function memberMismatch(name: string, value: JsonValue): Result<never> {
  const found = jsonTypeName(value);
  return undecodable(`json: cannot unmarshal ${found} into Go struct field jsonPatchOp.${name} of type string`, true);
}

function tooMany(count: number): Result<never> {
  const message = `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${count}`;
  return { ok: false, failure: { reason: 'RequestEntityTooLarge', message: `Request entity too large: ${message}` } };
}

/** The unescaped reference tokens of a path; empty for the whole document. */
export type Pointer = readonly string[];

/** Returns the tokens of a pointer, or `undefined` if the text is not a pointer. */
export function parsePointer(text: string): Pointer | undefined {
  if (text === '') return [];
  if (!text.startsWith('/')) return undefined;
  return text.slice(1).split('/').map(unescapeToken);
}

/**
 * Works like `parsePointer`, but skips the text before the first slash, as in `data/a` or `#/data/a`. Returns
 * `undefined` for a text that is not empty and has no slash.
 */
export function parseLoosePointer(text: string): Pointer | undefined {
  const slash = text.indexOf('/');
  return parsePointer(slash < 0 ? text : text.slice(slash));
}

/** Replaces `~1` by a slash and then `~0` by a tilde. Any other tilde stays. */
function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}

const INDEX = /^(?:0|[1-9]\d{0,9})$/;

/** Parses a list index: decimal, no sign, no leading zeros. */
export function parseIndex(token: string): number | undefined {
  return INDEX.test(token) ? Number(token) : undefined;
}

const LOOSE_INDEX = /^[+-]?\d{1,10}$/;

/** Works like `parseIndex`, but allows signs and leading zeros. Returns negative indexes unchanged. */
export function parseLooseIndex(token: string): number | undefined {
  return LOOSE_INDEX.test(token) ? Number(token) : undefined;
}
