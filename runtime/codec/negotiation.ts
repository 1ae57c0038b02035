/** Picks the format of an answer and recognises the format of a body. */
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

/** The formats that a route can answer in. */
export interface Offer {
  /** Media types, the default first. */
  readonly types: readonly string[];
  /** Media types that can carry a stream; empty where the route has none. */
  readonly streams?: readonly string[];
  /** Media types that a refusal names; by default `types`. */
  readonly told?: readonly string[];
  /** Whether a media type can carry the resource itself (`undefined`), or one of its other forms. */
  readonly allows: (type: string, transform: Transform | undefined) => boolean;
}

/** The format of an answer. */
export interface Negotiated {
  /** One of the offered types. */
  readonly type: string;
  readonly transform?: Transform;
  /** Whether the client asked for line breaks and indentation by a parameter of the media type. */
  readonly pretty: boolean;
}

/** The most headers per route with remembered answers; clients send few different ones. */
const mostHeaders = 128;

/**
 * Makes the negotiation of a route. The answer to a header is found once and then looked up, so a request costs one
 * map read.
 */
export function createNegotiator(offer: Offer): (accept: string | undefined) => Result<Negotiated> {
  const answerTo = memoize((accept) => negotiate(accept, offer), { most: mostHeaders });
  return (accept = '') => answerTo(accept);
}

/** Picks a format for an Accept header, or fails with 406. */
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
 * Returns whether a form is one that every resource has: Table (as JSON and YAML) and PartialObjectMetadata, in `v1`
 * and `v1beta1` of the meta group. `metaGroup` is that group's name.
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

/** Picks the media type of a watch's frames for what was negotiated, or fails with 406. */
export function negotiateStream(negotiated: Negotiated, streams: readonly string[]): Result<string> {
  if (streams.includes(negotiated.type)) return { ok: true, value: negotiated.type };
  return { ok: false, failure: notAcceptable(streams.map((type) => `${type};stream=watch`)) };
}

/** Returns the media type of an error's body: one that the client accepts, or JSON if there is none. */
export function errorType(accept: string | undefined, types: readonly string[]): string {
  const found = negotiate(accept ?? '', { types, streams: types, allows: (_, transform) => transform === undefined });
  return found.ok ? found.value.type : 'application/json';
}

/**
 * Checks an Accept header as routes of built-in kinds do first: some choice must be an offered type or `*\/*`, without
 * regard to parameters. Returns `undefined` if one is.
 */
export function routeAccepts(accept: string | undefined, representations: readonly string[]): Failure | undefined {
  if (accept === undefined || accept === '') return undefined;
  const choices = accept.split(',').map((choice) => withoutParameters(choice));
  if (choices.some((choice) => choice === '*/*' || representations.includes(choice))) return undefined;
  const message = `406: Not Acceptable\n\nAvailable representations: ${representations.join(', ')}`;
  return { reason: 'NotAcceptable', message, details: {} };
}

/** Checks the Content-Type of a patch in the same way. An absent one counts as `application/octet-stream`. */
export function routeConsumes(contentType: string | undefined, consumed: readonly string[]): Failure | undefined {
  const given = contentType === undefined || contentType === '' ? 'application/octet-stream' : contentType;
  if (given.split(',').some((choice) => consumed.includes(withoutParameters(choice)))) return undefined;
  return { reason: 'UnsupportedMediaType', message: '415: Unsupported Media Type', details: {} };
}

function withoutParameters(choice: string): string {
  return (choice.split(';', 1)[0] ?? '').trim();
}

/**
 * Recognises the format of a body, the first offered one where the header is absent, or fails with 415, naming the
 * media types that are `told`.
 */
export function negotiateBody(contentType: string | undefined, types: readonly string[], told = types): Result<string> {
  const [first] = types;
  if ((contentType === undefined || contentType === '') && first !== undefined) return { ok: true, value: first };
  const parsed = parseMediaType(contentType ?? '');
  if (parsed !== undefined && types.includes(parsed.type)) return { ok: true, value: parsed.type };
  return { ok: false, failure: unsupportedMediaType(told) };
}

/** Recognises the kind of a patch by its exact media type, parameters aside, or fails with 415. */
export function negotiatePatch(contentType: string | undefined, types: readonly string[]): Result<string> {
  const semicolon = contentType?.indexOf(';') ?? -1;
  const given = semicolon > 0 ? contentType?.slice(0, semicolon) : contentType;
  if (given !== undefined && types.includes(given)) return { ok: true, value: given };
  return { ok: false, failure: unsupportedMediaType(types) };
}
