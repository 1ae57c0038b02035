/** Makes answers of outcomes and failures. */
import { encodeJson } from '../codec/json.js';
import type { ApiObject, Entry, Failure, JsonObject, Result } from '../contract/index.js';
import { tooManyRequests } from '../objects/failures.js';
import { deletedStatus, toStatus } from '../objects/status.js';
import type { ResourceNames } from '../resource/served-resource.js';
import { Answer, type ApiResponse, type StreamedBody } from './api-request.js';
import { pour } from './pour.js';
import { jsonRepresentation } from './representation/json.js';
import type { ListBytes, Page, Representation } from './representation/representation.js';
import type { VerbRequest } from './verb-request.js';

/** Answers a write: with the object, or with the failure. */
export function answerOutcome(
  verb: VerbRequest,
  representation: Representation,
  outcome: Result<WriteOutcome>,
): ApiResponse {
  return outcome.ok ? answerObject(verb, representation, outcome.value) : answerFailure(verb, outcome.failure);
}

function answerObject(verb: VerbRequest, representation: Representation, outcome: WriteOutcome): ApiResponse {
  if (representation.refusal) return answerFailure(verb, representation.refusal);
  const body = outcome.entry
    ? representation.entry(verb.resource, outcome.entry)
    : representation.object(verb.resource, outcome.object);
  return new Answer(
    outcome.created ? 201 : 200,
    representation.contentType,
    body,
    warningHeaders(verb),
    recordable(verb, representation, () =>
      outcome.entry
        ? jsonRepresentation.entry(verb.resource, outcome.entry)
        : jsonRepresentation.object(verb.resource, outcome.object),
    ),
  );
}

/** For those who record answers: what is sent in Protobuf, in JSON. Nobody makes it who does not ask. */
export function recordable(
  { services: { recorder, protobufMediaType } }: VerbRequest,
  { contentType }: Representation,
  json: () => Uint8Array,
): ApiResponse['json'] {
  return recorder && contentType.startsWith(protobufMediaType) ? json : undefined;
}

/** The answer to a delete: the object, or a Status for kinds that say so and objects that are gone. */
export function answerDeleted(
  verb: VerbRequest,
  representation: Representation,
  outcome: Result<WriteOutcome>,
): ApiResponse {
  if (!outcome.ok) return answerFailure(verb, outcome.failure);
  const { removed, object } = outcome.value;
  if (!removed || verb.resource.module.deleteReturns === 'object') {
    return { ...answerObject(verb, representation, outcome.value), code: 200 };
  }
  return answerStatus(verb, representation, 200, deletionStatus(verb.resource, object));
}

const deletionStatus = ({ module }: ResourceNames, { metadata }: ApiObject): JsonObject =>
  deletedStatus(module.group, module.names.plural, metadata.name ?? '', metadata.uid ?? '');

/** The answer that is a list. */
export function answerPage(verb: VerbRequest, representation: Representation, page: Page): ApiResponse {
  if (representation.refusal) return answerFailure(verb, representation.refusal);
  const { contentType } = representation;
  const bytes = representation.list(verb.resource, page);
  const whole = (): Uint8Array => {
    const json = jsonRepresentation.list(verb.resource, page);
    return Buffer.concat([...json]);
  };
  const body = isWhole(bytes) ? bytes : pieces(verb, bytes);
  if (!body) return answerFailure(verb, tooManyLists);
  return new Answer(200, contentType, body, warningHeaders(verb), recordable(verb, representation, whole));
}

const isWhole = (bytes: ListBytes): bytes is readonly Uint8Array[] => Array.isArray(bytes);

/** The body that is made while it is sent; `undefined` where too many are being made. */
function pieces({ services, request }: VerbRequest, bytes: IterableIterator<Uint8Array>): StreamedBody | undefined {
  const { listsInMaking, onDefect } = services;
  if (listsInMaking.isFull) return undefined;
  return { stream: pour(bytes, listsInMaking, (error) => onDefect(error, request)), ends: true };
}

const tooManyLists = tooManyRequests(
  'too many lists are being made at the same time; try again later, or list in chunks with limit and continue',
  1,
);

/** The answer to a request that failed, with the warnings gathered until then. */
export function answerFailure(verb: VerbRequest | undefined, failure: Failure): ApiResponse {
  const { code, body } = toStatus(failure);
  const retryAfter = failure.details?.retryAfterSeconds;
  const headers = {
    ...(verb ? warningHeaders(verb) : {}),
    ...(retryAfter ? { 'retry-after': String(retryAfter) } : {}),
  };
  return { code, contentType: 'application/json', headers, body: Buffer.from(encodeJson(body)), document: body };
}

/** An answer whose body is a Status, in the format of the objects that there are none of. */
export function answerStatus(
  verb: VerbRequest,
  representation: Representation,
  code: number,
  status: JsonObject,
): ApiResponse {
  if (representation.refusal) return answerFailure(verb, representation.refusal);
  const { contentType } = representation;
  return { code, contentType, headers: warningHeaders(verb), body: representation.status(status), status };
}

/** A successful write. */
export interface WriteOutcome {
  /** The object as it now is, or as it was last when it is gone. */
  readonly object: ApiObject;
  /** The stored entry, where the object was stored: its bytes are the answer. Absent for dry runs. */
  readonly entry?: Entry;
  /** Whether the write brought the object into being. */
  readonly created: boolean;
  /** Whether the object is gone from the store. */
  readonly removed: boolean;
}

/** Characters that the warnings of one answer may take together before they are cut, and then left out. */
const maxTotal = 4096;

/** The length that each warning is cut to, in characters, where all of them would be too much. */
const maxCut = 256;

const none: Readonly<Record<string, string[]>> = {};

/** The headers for the warnings gathered so far. What has control characters cannot be said in a header. */
export function warningHeaders({ warnings }: VerbRequest): Readonly<Record<string, string[]>> {
  if (warnings.length === 0) return none;
  const sayable = warnings.filter((warning) => !/\p{Cc}/u.test(warning));
  if (sayable.length === 0) return none;
  const total = sayable.reduce((sum, warning) => sum + lengthOf(warning), 0);
  const shown = total <= maxTotal ? sayable : cut(sayable);
  return { warning: shown.map((warning) => `299 - ${quoted(warning)}`) };
}

/** The beginnings of the first warnings; of the later ones, as many as are not too much. */
function cut(warnings: readonly string[]): readonly string[] {
  const shown: string[] = [];
  let whole = 0;
  let written = 0;
  for (const warning of warnings) {
    if (whole > maxTotal && written >= maxTotal) break;
    const beginning = [...warning.slice(0, 2 * maxCut)].slice(0, maxCut).join('');
    shown.push(beginning);
    whole += lengthOf(warning);
    written += lengthOf(beginning);
  }
  return shown;
}

/** In characters, those beyond 16 bits counting as one. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** A quoted-string. Headers hold bytes, written here one per character; these are UTF-8. */
function quoted(text: string): string {
  const escaped = text.replace(/["\\]/g, '\\$&');
  return Buffer.from(`"${escaped}"`).toString('latin1');
}
