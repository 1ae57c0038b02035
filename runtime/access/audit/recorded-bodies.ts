/** Prepares bodies for the audit log: JSON on one line, without the parts that a policy omits. */
import { decodeJson, encodeJson } from '../../codec/json.js';
import { decodeYaml } from '../../codec/yaml/yaml.js';
import type { ApiObject, AuditDecision, JsonObject, JsonValue } from '../../contract/index.js';
import { isArray, isObject } from '../../objects/guards.js';
import type { ApiResponse } from '../../request/api-request.js';

type Omissions = Pick<AuditDecision, 'omitManagedFields' | 'omitToken'>;

/** Returns the object of a request as JSON. Built-in kinds have a creation time, which is null before creation. */
export function objectText(object: ApiObject, typed: boolean, omit: Omissions): string {
  const { metadata } = object;
  const shown: JsonObject = { ...object };
  if (typed && metadata.creationTimestamp === undefined) shown.metadata = { ...metadata, creationTimestamp: null };
  return encodeJson(without(shown, omit));
}

/** Returns a patch as JSON. */
export function patchText(bytes: Uint8Array): string | undefined {
  const decoded = decodeJson(bytes);
  return decoded.ok ? encodeJson(decoded.value) : undefined;
}

/**
 * Returns the object of a whole answer as JSON; `undefined` if there is none. Only paths outside of resources may
 * answer with something else.
 */
export function answerText(
  answer: ApiResponse,
  body: Uint8Array,
  isResource: boolean,
  omit: Omissions,
): string | undefined {
  const inJson = answer.contentType.startsWith('application/json');
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  if (inJson && isResource && !omit.omitManagedFields && !omit.omitToken && !text.trimEnd().includes('\n')) {
    return text.trimEnd();
  }
  const value = answer.json ? ofJson(answer.json()) : read(answer, text);
  if (!isObject(value) || (!isResource && typeof value.kind !== 'string')) return undefined;
  return encodeJson(without(value, omit));
}

function read({ contentType }: ApiResponse, text: string): JsonValue | undefined {
  if (contentType.startsWith('application/json')) return ofJson(text);
  if (!contentType.startsWith('application/yaml')) return undefined;
  const decoded = decodeYaml(text);
  return decoded.ok ? decoded.value : undefined;
}

function ofJson(text: Uint8Array | string): JsonValue | undefined {
  const decoded = decodeJson(text);
  return decoded.ok ? decoded.value : undefined;
}

function without(object: JsonObject, { omitManagedFields, omitToken }: Omissions): JsonObject {
  const shown = omitManagedFields ? withoutManagers(object) : object;
  return omitToken && isObject(shown.status) ? { ...shown, status: { ...shown.status, token: '' } } : shown;
}

/** Removes the managed fields of an object, list or Table. */
function withoutManagers(value: JsonObject): JsonObject {
  const shown: JsonObject = { ...value };
  if (isObject(value.metadata)) {
    const { managedFields: _, ...metadata } = value.metadata;
    shown.metadata = metadata;
  }
  if (isArray(value.items)) shown.items = value.items.map(ofEach);
  if (isArray(value.rows)) {
    shown.rows = value.rows.map((row) => (isObject(row) ? { ...row, object: ofEach(row.object ?? null) } : row));
  }
  return shown;
}

const ofEach = (value: JsonValue): JsonValue => (isObject(value) ? withoutManagers(value) : value);
