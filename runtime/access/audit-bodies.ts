/** Reads answers and bodies for the audit log: Status, bytes, the end of a stream, and JSON without what a policy omits. */

import { decodeJson, encodeJson } from '../codec/json.js';
import { decodeYaml } from '../codec/yaml/yaml.js';
import type { ApiObject, AuditDecision, JsonObject, JsonValue } from '../contract/index.js';
import { isArray, isObject } from '../objects/guards.js';
import type { ApiResponse, StreamedBody, StreamSink } from '../request/api-request.js';

const statusFields = ['status', 'message', 'reason', 'details'] as const;

/** Returns the code of an answer, with the fields of its Status if it has one. */
export function statusOf({ code, document, status = document }: ApiResponse): JsonObject {
  const told: JsonObject = { metadata: {} };
  if (status?.kind === 'Status') {
    for (const name of statusFields) if (status[name] !== undefined) told[name] = status[name];
  }
  told.code = code;
  return told;
}

/** Returns the bytes of an answer that is not a stream; else `undefined`. */
export function wholeBody({ body }: ApiResponse): Uint8Array | undefined {
  if (body instanceof Uint8Array) return body;
  return 'stream' in body ? undefined : Buffer.concat(body);
}

/** Wraps a stream to report its end, with all its bytes if they are collected. */
export function followStream(
  { stream, ...rest }: StreamedBody,
  collects: boolean,
  ended: (bytes: Uint8Array | undefined) => void,
): StreamedBody {
  let chunks: Uint8Array[] | undefined = collects ? [] : undefined;
  let told = false;
  const end = (whole: boolean): void => {
    if (told) return;
    told = true;
    ended(whole && chunks ? Buffer.concat(chunks) : undefined);
    chunks = undefined;
  };
  return {
    ...rest,
    stream(sink) {
      const stop = stream(followSink(sink, (chunk) => chunks?.push(Buffer.from(chunk)), end));
      return () => {
        stop();
        end(false);
      };
    },
    abandoned() {
      rest.abandoned?.();
      end(false);
    },
  };
}

function followSink(sink: StreamSink, wrote: (chunk: Uint8Array) => void, end: (whole: boolean) => void): StreamSink {
  return {
    get buffered() {
      return sink.buffered;
    },
    write(chunk) {
      wrote(chunk);
      sink.write(chunk);
    },
    taken: () => sink.taken(),
    end() {
      sink.end();
      end(true);
    },
    destroy() {
      sink.destroy();
      end(false);
    },
  };
}

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
 * Returns the object of a whole answer as JSON; `undefined` if it has none. Only paths outside of resources may answer
 * with something else.
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
