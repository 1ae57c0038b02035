/** Chooses the format of an answer, and recognizes the format of a body. */
import type { Failure, Result } from '../contract/index.js';
import { notAcceptable, unsupportedMediaType } from '../objects/failures.js';
import { memoize } from '../objects/memoize.js';
import type { AcceptClause } from '../objects/scan/media-types.js';
import { clauseMatches, parseAccept, parseMediaType } from '../objects/scan/media-types.js';

/** Another form of an answer that a client may ask for, such as a Table. */
export interface Transform {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
}

/** The formats of a route's answers. */
export interface Offer {
  /** Media types, the default first. */
  readonly types: readonly string[];
  /** Media types for streams; empty if the route has no streams. */
  readonly streams?: readonly string[];
  /** Media types that an error names; by default `types`. */
  readonly told?: readonly string[];
  /** Whether a media type can carry the resource itself (`undefined`), or one of its other forms. */
  readonly allows: (type: string, transform: Transform | undefined) => boolean;
}

/** The format of an answer. */
export interface Negotiated {
  /** One of the offered types. */
  readonly type: string;
  readonly transform?: Transform;
  /** Whether a parameter of the media type asks for line breaks and indentation. */
  readonly pretty: boolean;
}

/** The most headers for which a route remembers the answer. Clients send few different ones. */
const mostHeaders = 128;

/** Makes the negotiation of a route. It remembers the answer to each header, so a request costs one map read. */
export function createNegotiator(offer: Offer): (accept: string | undefined) => Result<Negotiated> {
  const answerTo = memoize((accept) => negotiate(accept, offer), { most: mostHeaders });
  return (accept = '') => answerTo(accept);
}

/** Chooses a format for an Accept header, or fails with 406. */
export function negotiate(accept: string, offer: Offer): Result<Negotiated> {
  const [first] = offer.types;
  if (accept === '' && first !== undefined) return { ok: true, value: { type: first, pretty: false } };
  for (const clause of parseAccept(accept)) {
    for (const type of offer.types) {
      const found = clauseMatches(clause, type) ? accepts(clause, type, offer) : undefined;
      if (found !== undefined) return { ok: true, value: found };
    }
  }
  return { ok: false, failure: notAcceptable(offer.told ?? offer.types) };
}

function accepts(clause: AcceptClause, type: string, offer: Offer): Negotiated | undefined {
  const { parameters } = clause;
  const stream = parameters.get('stream') ?? '';
  if (stream !== '' && (stream !== 'watch' || !offer.streams?.includes(type))) return undefined;
  const serverVersion = parameters.get('sv') ?? '';
  if (serverVersion !== '' && serverVersion !== 'v1') return undefined;
  const transform = transformOf(parameters);
  if (!offer.allows(type, transform)) return undefined;
  const pretty = parameters.get('pretty') === '1';
  return transform === undefined ? { type, pretty } : { type, transform, pretty };
}

function transformOf(parameters: ReadonlyMap<string, string>): Transform | undefined {
  const kind = parameters.get('as');
  const group = parameters.get('g');
  const version = parameters.get('v');
  if (kind === undefined && group === undefined && version === undefined) return undefined;
  return { kind: kind ?? '', group: group ?? '', version: version ?? '' };
}

/**
 * Returns whether every resource has a form: Table (as JSON and YAML) and PartialObjectMetadata, in `v1` and `v1beta1`
 * of the meta group. `metaGroup` is the name of that group.
 */
export function isStandardTransform(
  metaGroup: string,
  protobufType: string,
  type: string,
  transform: Transform,
): boolean {
  if (transform.group !== metaGroup) return false;
  if (transform.version !== 'v1' && transform.version !== 'v1beta1') return false;
  if (transform.kind === 'Table') return type !== protobufType;
  return transform.kind === 'PartialObjectMetadata' || transform.kind === 'PartialObjectMetadataList';
}

/** Chooses the media type of a watch's frames for a negotiated format, or fails with 406. */
export function negotiateStream(negotiated: Negotiated, streams: readonly string[]): Result<string> {
  if (streams.includes(negotiated.type)) return { ok: true, value: negotiated.type };
  return { ok: false, failure: notAcceptable(streams.map((type) => `${type};stream=watch`)) };
}

/**
 * Checks an Accept header as routes of built-in kinds do first. One choice must be an offered type or `*\/*`. Ignores
 * parameters. Returns `undefined` if the header is valid.
 */
export function routeAccepts(accept: string | undefined, representations: readonly string[]): Failure | undefined {
  if (accept === undefined || accept === '') return undefined;
  const choices = accept.split(',').map((choice) => withoutParameters(choice));
  if (choices.some((choice) => choice === '*/*' || representations.includes(choice))) return undefined;
  const message = `406: Not Acceptable\n\nAvailable representations: ${representations.join(', ')}`;
  return { reason: 'NotAcceptable', message, details: {} };
}

/** Checks the Content-Type of a patch in the same way. An absent header counts as `application/octet-stream`. */
export function routeConsumes(contentType: string | undefined, consumed: readonly string[]): Failure | undefined {
  const given = contentType === undefined || contentType === '' ? 'application/octet-stream' : contentType;
  if (given.split(',').some((choice) => consumed.includes(withoutParameters(choice)))) return undefined;
  return { reason: 'UnsupportedMediaType', message: '415: Unsupported Media Type', details: {} };
}

function withoutParameters(choice: string): string {
  return (choice.split(';', 1)[0] ?? '').trim();
}

/**
 * Recognizes the format of a body; the first of `types` if the header is absent. Otherwise fails with 415 and names the
 * media types in `told`.
 */
export function negotiateBody(contentType: string | undefined, types: readonly string[], told = types): Result<string> {
  const [first] = types;
  if ((contentType === undefined || contentType === '') && first !== undefined) return { ok: true, value: first };
  // Nearly all clients send a type as it is, without parameters.
  if (contentType !== undefined && types.includes(contentType)) return { ok: true, value: contentType };
  const parsed = parseMediaType(contentType ?? '');
  if (parsed !== undefined && types.includes(parsed.type)) return { ok: true, value: parsed.type };
  return { ok: false, failure: unsupportedMediaType(told) };
}

/** Recognizes the kind of a patch by its exact media type without parameters, or fails with 415. */
export function negotiatePatch(contentType: string | undefined, types: readonly string[]): Result<string> {
  const semicolon = contentType?.indexOf(';') ?? -1;
  const given = semicolon > 0 ? contentType?.slice(0, semicolon) : contentType;
  if (given !== undefined && types.includes(given)) return { ok: true, value: given };
  return { ok: false, failure: unsupportedMediaType(types) };
}
