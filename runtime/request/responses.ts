/** Makes answers of results and failures. */
import { encodeJson } from '../codec/json.js';
import type { ApiObject, Entry, Failure, JsonObject, Result } from '../contract/index.js';
import { tooManyRequests } from '../objects/failures.js';
import { characters } from '../objects/lines.js';
import { deletedStatus, toStatus } from '../objects/status.js';
import type { ResourceNames } from '../resource/served-resource.js';
import { Answer, type ApiResponse, type StreamedBody } from './api-request.js';
import { pour } from './pour.js';
import { jsonRepresentation } from './representation/json.js';
import type { ListBytes, Page, Representation } from './representation/representation.js';
import type { VerbRequest } from './verb-request.js';

/** Answers a write with the object or the failure. */
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

/** Returns a function that makes the answer in JSON for recorders of answers, if the answer is in protobuf. */
export function recordable(
  { services: { recorder, protobufMediaType } }: VerbRequest,
  { contentType }: Representation,
  json: () => Uint8Array,
): ApiResponse['json'] {
  return recorder && contentType.startsWith(protobufMediaType) ? json : undefined;
}

/** Answers a delete with the object, or with a Status if the object is gone and its kind says so. */
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

/** Answers with a list. */
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

/** Returns a streamed body; `undefined` if too many lists are in progress. */
function pieces({ services, request }: VerbRequest, bytes: IterableIterator<Uint8Array>): StreamedBody | undefined {
  const { listsInMaking, onDefect } = services;
  if (listsInMaking.isFull) return undefined;
  return { stream: pour(bytes, listsInMaking, (error) => onDefect(error, request)), ends: true };
}

const tooManyLists = tooManyRequests(
  'too many lists are being made at the same time; try again later, or list in chunks with limit and continue',
  1,
);

/** Answers a failed request, and adds the warnings so far. */
export function answerFailure(verb: Warned | undefined, failure: Failure): ApiResponse {
  const { code, body } = toStatus(failure);
  const retryAfter = failure.details?.retryAfterSeconds;
  const headers = {
    ...(verb ? warningHeaders(verb) : {}),
    ...(retryAfter ? { 'retry-after': String(retryAfter) } : {}),
  };
  const later = failure.later && toStatus(failure.later).body;
  return { code, contentType: 'application/json', headers, body: Buffer.from(encodeJson(body)), document: body, later };
}

/** The warnings for an answer. */
interface Warned {
  readonly warnings: readonly string[];
}

/** Answers with a Status, in the format of the objects. */
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
  /** The new state of the object, or its last state if the write removed it. */
  readonly object: ApiObject;
  /** The stored entry with the bytes of the answer; absent for dry runs. */
  readonly entry?: Entry;
  /** Whether the write created the object. */
  readonly created: boolean;
  /** Whether the object is gone from the store. */
  readonly removed: boolean;
}

/**
 * The most characters in all warnings of an answer. Above it, each warning is cut, and the last ones may be left out.
 */
const maxTotal = 4096;

/** The length of a cut warning in characters. */
const maxCut = 256;

const none: Readonly<Record<string, string[]>> = {};

/**
 * Returns the headers for the warnings so far. Leaves out warnings with control characters, because a header cannot
 * contain them.
 */
export function warningHeaders({ warnings }: Warned): Readonly<Record<string, string[]>> {
  if (warnings.length === 0) return none;
  const sayable = warnings.filter((warning) => !/\p{Cc}/u.test(warning));
  if (sayable.length === 0) return none;
  const total = sayable.reduce((sum, warning) => sum + characters(warning), 0);
  const shown = total <= maxTotal ? sayable : cut(sayable);
  return { warning: shown.map((warning) => `299 - ${quoted(warning)}`) };
}

/** Returns the beginnings of warnings until there are too many characters. */
function cut(warnings: readonly string[]): readonly string[] {
  const shown: string[] = [];
  let whole = 0;
  let written = 0;
  for (const warning of warnings) {
    if (whole > maxTotal && written >= maxTotal) break;
    const beginning = [...warning.slice(0, 2 * maxCut)].slice(0, maxCut).join('');
    shown.push(beginning);
    whole += characters(warning);
    written += characters(beginning);
  }
  return shown;
}

/** Makes a quoted-string in UTF-8. Each character of the result is one byte. */
function quoted(text: string): string {
  const escaped = text.replace(/["\\]/g, '\\$&');
  return Buffer.from(`"${escaped}"`).toString('latin1');
}
