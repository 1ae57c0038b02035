/** A request once it is known what it asks of which resource and who asks. */
import type {
  AdmissionContext,
  ApiObject,
  AuthorizationAttributes,
  Authorizer,
  Basis,
  Clock,
  Commit,
  Deprecation,
  Failure,
  Follow,
  JsonObject,
  Observer,
  Store,
  Subresource,
  UserInfo,
  VirtualContext,
} from '../contract/index.js';
import type { ClientSideApply } from '../merge/index.js';
import type { ServedResource } from '../resource/served-resource.js';
import type { ApiRequest } from './api-request.js';
import type { ContinueTokens } from './continue-token.js';
import type { ListsInMaking } from './pour.js';
import type { Query } from './query.js';

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

/** Takes what requests carry, once it is read and before anything is done with it. Nothing of it is kept but text. */
export interface BodyRecorder {
  /** An object that is created or replaces another, with its defaults. `typed` is whether its kind is a built-in one. */
  object(request: ApiRequest, object: ApiObject, typed: boolean): void;
  /** The bytes of a patch. */
  patch(request: ApiRequest, bytes: Uint8Array): void;
  /** A configuration to apply. */
  configuration(request: ApiRequest, configuration: JsonObject): void;
  /** The options of a delete that come in its body. */
  deletion(request: ApiRequest, options: JsonObject): void;
}

/** The first change that is made proves the state, as it is made only if that has been the latest. */
export class UnconfirmedState {
  #isConfirmed = false;
  #isOutdated = false;

  constructor(private readonly before: Basis) {}

  get isConfirmed(): boolean {
    return this.#isConfirmed;
  }

  /** Whether it has turned out not to be the latest: what was decided on it does not count. */
  get isOutdated(): boolean {
    return this.#isOutdated;
  }

  /** The basis of the next change; none once the state is confirmed. */
  get basis(): Basis | undefined {
    return this.#isConfirmed ? undefined : this.before;
  }

  /** Called with what became of a change that was made on the basis above. */
  note(commit: Commit): void {
    if (commit.outcome === 'committed') this.#isConfirmed = true;
    if (commit.outcome === 'failed' && commit.outdated) this.#isOutdated = true;
  }

  /** Confirms the state, before an answer or an effect that no change proves. The failure says why it does not count. */
  async confirm(): Promise<Failure | undefined> {
    if (this.#isConfirmed) return undefined;
    const failure = await this.before.confirm();
    if (failure) return failure;
    this.#isOutdated = this.before.isOutdated;
    this.#isConfirmed = !this.#isOutdated;
    return this.#isOutdated ? OUTDATED : undefined;
  }
}

const OUTDATED: Failure = {
  reason: 'ServiceUnavailable',
  message: 'others have changed something since the request began, please try again',
  details: { retryAfterSeconds: 1 },
};

/** The services that the stages share over all requests. */
export interface PipelineServices {
  readonly store: Store;
  /** Keeps parts of the server up with the store. */
  readonly follow: Follow;
  /** Finds a served resource by group and plural, in the version objects are stored in. */
  readonly resource: (group: string, plural: string) => ServedResource | undefined;
  /** Decides which user may do what. */
  readonly authorizer: Authorizer;
  readonly authorize: (attributes: AuthorizationAttributes) => boolean | Promise<boolean>;
  readonly featureEnabled: (gate: string) => boolean;
  /** Told of what has been done, for metrics. */
  readonly observer?: Observer;
  /** A random UUID, version 4. */
  readonly newUid: () => string;
  /** Random characters for generated names. */
  readonly nameSuffix: () => string;
}

/** Under whose name they go. */
export const itself: UserInfo = {
  name: 'system:apiserver',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

/** The field manager that owns what they write. */
export const ownManager = 'kube-apiserver';
