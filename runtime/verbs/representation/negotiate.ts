/** The forms in which objects, lists and watch events are sent, chosen once per request. */
import {
  createNegotiator,
  isStandardTransform,
  type Negotiated,
  negotiateStream,
  prettyRequested,
  routeAccepts,
} from '../../codec/negotiation.js';
import type { ApiObject, Entry, Failure, JsonObject, Result, Revision } from '../../contract/index.js';
import type { ServedResource } from '../../pipeline/served-resource.js';
import { headerOf } from '../body/body.js';
import type { VerbRequest, VerbServices } from '../verb-request.js';
import type { WatchFrameType } from '../watch/frames.js';
import { encoderFor } from './encoders.js';
import { jsonRepresentation } from './json.js';
import { protobufRepresentation } from './protobuf.js';
import { formFor } from './response-transforms.js';
import { valueRepresentation } from './values.js';

/** A chunk of a list. */
export interface Page {
  /** 0 for a list of what is not stored, which has no revision. */
  readonly revision: Revision;
  readonly entries: readonly Entry[];
  /** Whether this very array was listed before, so that what is made of it may be worth keeping. */
  readonly repeated: boolean;
  /** Whether a selector chose the entries, so that they need not follow each other in the store. */
  readonly selected: boolean;
  /** Token for the next chunk; empty at the end. */
  readonly continueToken: string;
  /** Absent where a selector filtered, and at the end. */
  readonly remainingItemCount?: number;
}

/** One form. It keeps no state, so that what it makes of an entry can be shared by all who ask for the same form. */
export interface Representation {
  /** Names the form in caches; two representations with one key make the same bytes, in the same second where they tell it. */
  readonly key: string;
  /** What second it is, counted from 1970, where the bytes depend on that. */
  readonly second?: () => number;
  /** Whether objects are shown in another form than their own: as rows of a table, or by their metadata alone. */
  readonly transforms: boolean;
  readonly contentType: string;
  readonly streamContentType: string;
  /** Why nothing can be shown in the form that was asked for. */
  readonly refusal?: Failure;
  entry(resource: ServedResource, entry: Entry): Uint8Array;
  /** An object that is not stored as it is, such as the result of a dry run. */
  object(resource: ServedResource, object: ApiObject): Uint8Array;
  /** A list, as chunks of bytes in order. */
  list(resource: ServedResource, page: Page): readonly Uint8Array[];
  /** What a watch event carries; `first` is whether the watcher has got nothing before it. */
  event(resource: ServedResource, entry: Entry, first: boolean): Uint8Array;
  /** What a bookmark carries: an object of the form that has nothing but a revision, and perhaps a mark. */
  bookmark(resource: ServedResource, revision: Revision, annotations?: JsonObject): Uint8Array;
  /** A Status, which stands for the object that there is none of. */
  status(status: JsonObject): Uint8Array;
  /** A frame of a watch around the object that it carries. */
  frame(type: WatchFrameType, object: Uint8Array): Uint8Array;
}

/** What an answer is made of. A stream is a watch. */
export type AnswerShape = 'object' | 'list' | 'stream';

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

/** What the routes of a resource can answer. */
interface RouteOffer {
  readonly streams: readonly string[];
  /** What the routes of built-in kinds announce; a collection's route is also that of its watch. */
  readonly announced: Readonly<Record<AnswerShape, readonly string[]>>;
  readonly negotiate: (accept: string | undefined) => Result<Negotiated>;
}

const textTypes: readonly string[] = ['application/json', 'application/yaml'];

const offersWithProtobuf = new WeakMap<VerbServices, RouteOffer>();
const offersWithout = new WeakMap<VerbServices, RouteOffer>();
const offersOfReviews = new WeakMap<VerbServices, RouteOffer>();

/** The offer of a resource; there are but three, of which negotiation remembers what clients asked for. */
function offerOf({ resource, services }: VerbRequest): RouteOffer {
  const { protobuf, virtual, columns } = resource.module;
  const hasProtobuf = protobuf !== undefined;
  // What is neither stored nor has columns is no object that could be shown in part.
  const isReview = virtual === true && columns.length === 0;
  const offers = isReview ? offersOfReviews : hasProtobuf ? offersWithProtobuf : offersWithout;
  const offer =
    offers.get(services) ?? createOffer(services, hasProtobuf ? [services.protobufMediaType] : [], isReview);
  offers.set(services, offer);
  return offer;
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
  const form = formFor(verb, negotiated.transform, shape);
  if (!form.ok) {
    // As in the reference, which looks at the form when it has something to show: a write is carried out all the same.
    return verb.request.method === 'GET' ? form : { ok: true, value: { ...jsonRepresentation, refusal: form.failure } };
  }
  return { ok: true, value: valueRepresentation(form.value, encoderFor(negotiated.type, indented)) };
}
