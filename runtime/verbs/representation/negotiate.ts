/** Chooses the representation of an answer: what is shown of objects, and in which format. */
import {
  createNegotiator,
  isStandardTransform,
  type Negotiated,
  negotiateStream,
  prettyRequested,
  routeAccepts,
} from '../../codec/negotiation.js';
import type { Result } from '../../contract/index.js';
import { memoizeByObject } from '../../objects/memoize.js';
import { headerOf } from '../body/body.js';
import type { VerbRequest, VerbServices } from '../verb-request.js';
import { encoderFor } from './encoders.js';
import { jsonRepresentation } from './json.js';
import { protobufRepresentation } from './protobuf.js';
import type { AnswerShape, Representation } from './representation.js';
import { transformFor } from './response-transforms.js';
import { valueRepresentation } from './values.js';

/**
 * The form that an Accept header, the request's where no other is given, and `pretty` ask for. The usual one costs a
 * comparison of strings.
 */
export function readRepresentation(
  verb: VerbRequest,
  shape: AnswerShape,
  accept = headerOf(verb, 'accept'),
): Result<Representation> {
  const agent = headerOf(verb, 'user-agent');
  const pretty = prettyRequested(verb.query.has('pretty') ? verb.query.text('pretty') : undefined, agent);
  if (!pretty && (accept === undefined || accept === 'application/json' || accept === '*/*')) return usual;
  const offer = offerOf(verb);
  const refused = verb.resource.module.decoding === 'typed' && routeAccepts(accept, offer.announced[shape]);
  if (refused) return { ok: false, failure: refused };
  const negotiated = offer.negotiate(accept);
  return negotiated.ok ? represented(verb, negotiated.value, shape, pretty, offer.streams) : negotiated;
}

const usual: Result<Representation> = { ok: true, value: jsonRepresentation };

/** The formats that the routes of a resource can answer in. */
interface RouteOffer {
  readonly streams: readonly string[];
  /** The media types that the routes of built-in kinds announce; a collection's route is also that of its watch. */
  readonly announced: Readonly<Record<AnswerShape, readonly string[]>>;
  readonly negotiate: (accept: string | undefined) => Result<Negotiated>;
}

const textTypes: readonly string[] = ['application/json', 'application/yaml'];

/** The offers of a server, of objects and of reviews; negotiation keeps what clients asked of each. */
const offersOf = memoizeByObject((services: VerbServices) => {
  const protobuf = [services.protobufMediaType];
  return {
    objects: { withProtobuf: createOffer(services, protobuf, false), without: createOffer(services, [], false) },
    reviews: { withProtobuf: createOffer(services, protobuf, true), without: createOffer(services, [], true) },
  };
});

/** The offer of a resource. */
function offerOf({ resource, services }: VerbRequest): RouteOffer {
  const { virtual, columns } = resource.module;
  const { objects, reviews } = offersOf(services);
  // A kind that is neither stored nor has columns has no objects that could be shown in part.
  const offers = virtual === true && columns.length === 0 ? reviews : objects;
  return resource.protobuf === undefined ? offers.without : offers.withProtobuf;
}

function createOffer(
  { metaGroup, protobufMediaType }: VerbServices,
  protobuf: readonly string[],
  isReview: boolean,
): RouteOffer {
  const types = [...textTypes, ...protobuf];
  const streams = ['application/json', ...protobuf];
  const withStreams = [...types, ...streams.map((type) => `${type};stream=watch`)];
  return {
    streams,
    announced: { object: types, list: withStreams, stream: withStreams },
    negotiate: createNegotiator({
      types,
      streams,
      told: [...textTypes, protobufMediaType],
      allows: (type, transform) =>
        transform === undefined || (!isReview && isStandardTransform(metaGroup, protobufMediaType, type, transform)),
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
  // Frames of a stream are lines, so they are never indented.
  const indented = shape !== 'stream' && (pretty || negotiated.pretty);
  if (shape === 'stream') {
    const stream = negotiateStream(negotiated, streams);
    if (!stream.ok) return stream;
  }
  if (negotiated.type === 'application/json' && !negotiated.transform && !indented) return usual;
  if (negotiated.type === verb.services.protobufMediaType && !negotiated.transform) {
    return { ok: true, value: protobufRepresentation(negotiated.type) };
  }
  const transform = transformFor(verb, negotiated.transform, shape);
  if (!transform.ok) {
    // As in the reference, which looks at the form when it has something to show: a write is carried out all the same.
    return verb.request.method === 'GET'
      ? transform
      : { ok: true, value: { ...jsonRepresentation, refusal: transform.failure } };
  }
  return { ok: true, value: valueRepresentation(transform.value, encoderFor(negotiated.type, indented)) };
}
