/** The forms in which objects, lists and watch events are sent, chosen once per request. */
import type { ApiObject, Entry, Result, Revision } from '../contract/index.js';
import type { ServedResource } from '../pipeline/served-resource.js';
import { jsonRepresentation } from './representation-json.js';
import type { VerbRequest } from './verb-request.js';

/** A chunk of a list. */
export interface Page {
  readonly revision: Revision;
  readonly entries: readonly Entry[];
  /** Token for the next chunk; empty at the end. */
  readonly continueToken: string;
  /** Absent where a selector filtered, and at the end. */
  readonly remainingItemCount?: number;
}

/** One form. It keeps no state, so that what it makes of an entry can be shared by all who ask for the same form. */
export interface Representation {
  /** Names the form in caches; two representations with one key make the same bytes. */
  readonly key: string;
  readonly contentType: string;
  readonly streamContentType: string;
  entry(resource: ServedResource, entry: Entry): Uint8Array;
  /** An object that is not stored as it is, such as the result of a dry run. */
  object(resource: ServedResource, object: ApiObject): Uint8Array;
  /** A list, as chunks of bytes in order. */
  list(resource: ServedResource, page: Page): readonly Uint8Array[];
  /** What a watch event carries; `first` is whether the watcher has got nothing before it. */
  event(resource: ServedResource, entry: Entry, first: boolean): Uint8Array;
}

/** The form that the request's Accept header and `pretty` ask for. */
export function readRepresentation(verb: VerbRequest): Result<Representation> {
  const accept = verb.request.headers.accept;
  if ((accept === undefined || accept === 'application/json' || accept === '*/*') && !verb.query.has('pretty')) {
    return { ok: true, value: jsonRepresentation };
  }
  return { ok: true, value: jsonRepresentation };
}
