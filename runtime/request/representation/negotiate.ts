/** Chooses the representation of an answer: the parts of objects that it shows, and the format. */
import {
  createNegotiator,
  isStandardTransform,
  type Negotiated,
  negotiateStream,
  routeAccepts,
  type Transform,
} from '../../codec/negotiation.js';
import type { Result } from '../../contract/index.js';
import { memoizeByObject } from '../../objects/memoize.js';
import { headerOf, prettyRequested } from '../api-request.js';
import type { VerbRequest, VerbServices } from '../verb-request.js';
import { encoderFor } from './encoders.js';
import { jsonRepresentation } from './json.js';
import { protobufRepresentation } from './protobuf.js';
import type { AnswerShape, Representation } from './representation.js';
import { transformFor } from './response-transforms.js';
import { cutMetadata, valueRepresentation } from './values.js';

/**
 * Returns the representation that an Accept header and `pretty` ask for. Default: the header of the request. The usual
 * representation costs one comparison of strings.
 */
export function readRepresentation(
  verb: VerbRequest,
  shape: AnswerShape,
  accept = headerOf(verb.request, 'accept'),
): Result<Representation> {
  const form = readForm(verb, shape, accept);
  const refusal = form.ok && (shape === 'stream' || verb.request.method === 'GET') ? form.value.refusal : undefined;
  return refusal ? { ok: false, failure: refusal } : form;
}

/**
 * Reads the representation of an answer that may not show an object. As in the reference, refuses an impossible form
 * only if there is an object to show. So the server still does the write, and a missing object is a 404.
 */
export function readForm(
  verb: VerbRequest,
  shape: AnswerShape,
  accept = headerOf(verb.request, 'accept'),
): Result<Representation> {
  const pretty = prettyRequested(verb.request, verb.query);
  if (!pretty && (accept === undefined || accept === 'application/json' || accept === '*/*')) return usual;
  const offer = offerOf(verb);
  const refused = verb.resource.module.decoding === 'typed' && routeAccepts(accept, offer.announced[shape]);
  if (refused) return { ok: false, failure: refused };
  const negotiated = offer.negotiate(accept);
  return negotiated.ok ? represented(verb, negotiated.value, shape, pretty, offer.streams) : negotiated;
}

const usual: Result<Representation> = { ok: true, value: jsonRepresentation };

/** The formats of the routes of a resource. */
interface RouteOffer {
  readonly streams: readonly string[];
  /** The media types that routes of built-in kinds announce. A collection and its watch have the same route. */
  readonly announced: Readonly<Record<AnswerShape, readonly string[]>>;
  readonly negotiate: (accept: string | undefined) => Result<Negotiated>;
}

const textTypes: readonly string[] = ['application/json', 'application/yaml'];

/** The formats of a server, for objects and for reviews. They remember the results of negotiations. */
const offersOf = memoizeByObject((services: VerbServices) => {
  const protobuf = [services.protobufMediaType];
  return {
    objects: { withProtobuf: createOffer(services, protobuf, false), without: createOffer(services, [], false) },
    reviews: { withProtobuf: createOffer(services, protobuf, true), without: createOffer(services, [], true) },
  };
});

/** Returns the formats of a resource. */
function offerOf({ resource, services }: VerbRequest): RouteOffer {
  const { virtual, columns } = resource.module;
  const { objects, reviews } = offersOf(services);
  // Parts of an object are only available for kinds that are stored or have columns.
  const offers = virtual === true && columns.length === 0 ? reviews : objects;
  return resource.protobuf === undefined ? offers.without : offers.withProtobuf;
}

function createOffer(
  { metaGroup, protobufMediaType }: VerbServices,
  protobuf: readonly string[],
  isReview: boolean,
): RouteOffer {
  const types = [...textTypes, protobufMediaType];
  const streams = ['application/json', protobufMediaType];
  const announced = [...textTypes, ...protobuf];
  const withStreams = [...announced, ...['application/json', ...protobuf].map((type) => `${type};stream=watch`)];
  // Checks the form of whole objects only: metadata of every kind has a protobuf form, and a Table has none.
  const carriesWhole = (type: string): boolean => type !== protobufMediaType || protobuf.length > 0;
  return {
    streams,
    announced: { object: announced, list: withStreams, stream: withStreams },
    negotiate: createNegotiator({
      types,
      streams,
      allows: (type, transform) =>
        transform === undefined
          ? carriesWhole(type)
          : !isReview && isStandardTransform(metaGroup, protobufMediaType, type, transform),
    }),
  };
}

function represented(
  verb: VerbRequest,
  negotiated: Negotiated,
  shape: AnswerShape,
  pretty: boolean,
  streams: readonly string[],
): Result<Representation> {
  // Does not indent frames of a stream, because each is one line.
  const indented = shape !== 'stream' && (pretty || negotiated.pretty);
  if (shape === 'stream') {
    const stream = negotiateStream(negotiated, streams);
    if (!stream.ok) return stream;
  }
  const wanted = shape === 'stream' ? formOfEvents(verb, negotiated) : negotiated.transform;
  if (negotiated.type === 'application/json' && !wanted && !indented) return usual;
  if (negotiated.type === verb.services.protobufMediaType && !wanted) {
    return { ok: true, value: protobufRepresentation(negotiated.type) };
  }
  const transform = transformFor(verb, wanted, shape);
  if (!transform.ok) return { ok: true, value: { ...jsonRepresentation, refusal: transform.failure } };
  const form = valueRepresentation(transform.value, encoderFor(negotiated.type, indented));
  const isCut = wanted !== undefined && wanted.kind !== 'Table' && negotiated.type === 'application/json' && !indented;
  return { ok: true, value: isCut ? cutMetadata(form, `${wanted.group}/${wanted.version}`) : form };
}

/**
 * Returns the form of an event, which shows one object. If a client asks for a list of metadata, the reference sends
 * the whole object if it can.
 */
function formOfEvents({ resource, services }: VerbRequest, { type, transform }: Negotiated): Transform | undefined {
  const canBeWhole = type !== services.protobufMediaType || resource.protobuf !== undefined;
  return transform?.kind === 'PartialObjectMetadataList' && canBeWhole ? undefined : transform;
}
