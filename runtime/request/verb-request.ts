/** A request once it is known what it asks of which resource and who asks. */

import type { AdmissionContext, Clock, Deprecation, Subresource, UserInfo, VirtualContext } from '../contract/index.js';
import type { ClientSideApply } from '../merge/index.js';
import type { ServedResource } from '../resource/served-resource.js';
import type { ApiRequest } from './api-request.js';
import type { BodyRecorder } from './body-recorder.js';
import type { ContinueTokens } from './continue-token.js';
import type { ListsInMaking } from './lists-in-making.js';
import type { Query } from './query.js';
import type { PipelineServices } from './services.js';
import type { UnconfirmedState } from './unconfirmed-state.js';

/** The services that verbs share over all requests. */
export interface VerbServices extends PipelineServices {
  /** Group of the meta kinds under the naming served: `meta.platform.io`. */
  readonly metaGroup: string;
  /** Media type of Protobuf bodies under the naming served. */
  readonly protobufMediaType: string;
  /** Annotation that marks the bookmark after the initial events of a streaming list. */
  readonly endOfInitialEvents: string;
  /** The manager whose client-side configurations count as its own when it goes over to apply. */
  readonly clientSideApply: ClientSideApply;
  /** Largest request body in bytes. */
  readonly maxBodyBytes: number;
  /** Bytes of changes that a watcher may fall behind before it is cut off; it then has to list and watch again. */
  readonly watchBufferBytes: number;
  readonly continueTokens: ContinueTokens;
  readonly listsInMaking: ListsInMaking;
  /** Told of defects that break off an answer whose head has been sent. */
  readonly onDefect: (error: unknown, request: ApiRequest) => void;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Acts after a time in milliseconds, by the same clock; by a timer of Node where absent. The answer calls that off. */
  readonly after?: Clock['after'];
  /** Finds out whose a bearer token is. */
  readonly authenticate: VirtualContext['authenticate'];
  /** The audiences of tokens for the server itself. */
  readonly audiences: readonly string[];
  /** Whether some resource, served or not, has this kind in this apiVersion. */
  readonly knowsKind: (apiVersion: string, kind: string) => boolean;
  /** A copy of an object in another version of its kind; `undefined` where there is no such version. */
  readonly convert: AdmissionContext['convert'];
  /** Makes an object of a value of any kind, with the unknown fields of custom resources. */
  readonly decode?: AdmissionContext['decode'];
  /** Milliseconds that a request may take. */
  readonly timeAllowed?: (request: ApiRequest) => number;
  /** Notes something for the audit of a request; absent where nobody does. */
  readonly annotate?: (request: ApiRequest, key: string, value: string) => void;
  /** Shown what requests carry; absent where nobody records it. */
  readonly recorder?: BodyRecorder;
  /** Told of a request to a deprecated version; absent where nobody keeps account of these. */
  readonly noteDeprecated?: (
    request: ApiRequest,
    resource: ServedResource,
    subresource: Subresource | undefined,
    deprecation: Deprecation,
  ) => void;
}

/** One request to a verb. */
export interface VerbRequest {
  readonly request: ApiRequest;
  readonly services: VerbServices;
  readonly resource: ServedResource;
  /** Empty for cluster-scoped resources and for lists across namespaces. */
  readonly namespace: string;
  /** Empty for collections. */
  readonly name: string;
  readonly subresource: Subresource | undefined;
  readonly user: UserInfo;
  readonly query: Query;
  /** Warnings gathered for the answer, in order. */
  readonly warnings: string[];
  /** The state that a write is decided on, where nobody has confirmed yet that it is the latest. */
  readonly unconfirmed?: UnconfirmedState | undefined;
  /** Told that nothing was written, because the resource is served in another way by now. */
  readonly superseded?: (() => void) | undefined;
}

/** Adds a warning once. */
export function warn(request: VerbRequest, text: string): void {
  if (!request.warnings.includes(text)) request.warnings.push(text);
}
