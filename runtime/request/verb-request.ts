/** The request of a verb: its user, its resource, and the services for verbs. */

import type { Agent } from 'node:https';
import type {
  AdmissionContext,
  Allows,
  ApiObject,
  Authorizer,
  Basis,
  Clock,
  Commit,
  Deprecation,
  Failure,
  Follow,
  ForwardTarget,
  JsonObject,
  Observer,
  Result,
  Store,
  Subresource,
  UserInfo,
  VirtualContext,
} from '../contract/index.js';
import type { ClientSideApply } from '../merge/index.js';
import type { Release } from '../objects/release.js';
import type { RelationTable } from '../resource/relations.js';
import type { ServedResource } from '../resource/served-resource.js';
import type { ApiRequest, ApiResponse, Query } from './api-request.js';
import type { ContinueTokens } from './continue-token.js';
import type { ListsInMaking } from './pour.js';

/** Forwards requests to programs behind objects. */
export interface Forwarder {
  /** Returns the answer of the program, or why there is none. `peer` is set for a server that trusts this one. */
  forward(
    request: ApiRequest,
    target: ForwardTarget,
    path: ForwardPath,
    peer?: ForwardPeer,
  ): Promise<Result<ApiResponse>>;
  /** Breaks off everything that is still open. */
  close(): void;
}

/** A server that verifies this server's certificate, and trusts it to name the user. */
export interface ForwardPeer {
  /** Connects once for each request, and verifies the certificate of the server. */
  readonly agent: Agent;
  /** The same with kept connections. */
  readonly keptAgent: Agent;
  /** Further headers, as alternating names and values. */
  readonly headers: readonly string[];
  /** The time for the head of the answer, in milliseconds; absent for answers that may begin late, such as watches. */
  readonly answerMs?: number | undefined;
}

/** The two parts of the path of a forwarded request, as the client sent them. */
export interface ForwardPath {
  /** The first part, up to the subresource. */
  readonly before: string;
  /** The path for the program, with its leading slash; empty if the request names none. */
  readonly rest: string;
}

/** The services that verbs share. */
export interface VerbServices extends PipelineServices {
  /** The served group of the meta kinds, such as `meta.platform.io`. */
  readonly metaGroup: string;
  /** The served media type of protobuf bodies. */
  readonly protobufMediaType: string;
  /** The annotation of the bookmark after the initial events of a streaming list. */
  readonly endOfInitialEvents: string;
  /** The manager of client-side apply, and its annotation. With them, users can change to server-side apply. */
  readonly clientSideApply: ClientSideApply;
  /** The largest request body in bytes. */
  readonly maxBodyBytes: number;
  /**
   * The most bytes of changes that may wait for a watcher. Beyond it, the server cuts the watcher off, and it must list
   * and watch again.
   */
  readonly watchBufferBytes: number;
  readonly continueTokens: ContinueTokens;
  readonly listsInMaking: ListsInMaking;
  /** Receives defects that break off an answer after its head is sent. */
  readonly onDefect: (error: unknown, request: ApiRequest) => void;
  readonly forwarder: Forwarder;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /**
   * Calls a function after a time in milliseconds by the same clock. Returns a function that cancels it. Default: a
   * timer of Node.
   */
  readonly after?: Clock['after'];
  /** Finds the user of a bearer token. */
  readonly authenticate: VirtualContext['authenticate'];
  /** The audiences of tokens for the server itself. */
  readonly audiences: readonly string[];
  /** Returns whether any resource, served or not, has this kind in this apiVersion. */
  readonly knowsKind: (apiVersion: string, kind: string) => boolean;
  /** Returns a copy of an object in another version of its kind; `undefined` if there is no such version. */
  readonly convert: AdmissionContext['convert'];
  /** Makes an object from a value of any kind. Keeps the unknown fields of custom resources. */
  readonly decode?: AdmissionContext['decode'];
  /** Merges a configuration into an object of any kind. */
  readonly merge?: AdmissionContext['merge'];
  /** Returns the milliseconds that a request may take. */
  readonly timeAllowed?: (request: ApiRequest) => number;
  /** Adds an annotation to the audit event of a request; absent without an audit log. */
  readonly annotate?: (request: ApiRequest, key: string, value: string) => void;
  /** Receives the bodies of requests; absent without an audit log. */
  readonly recorder?: BodyRecorder;
  /** Called for a request to a deprecated version. */
  readonly noteDeprecated?: (
    request: ApiRequest,
    resource: ServedResource,
    subresource: Subresource | undefined,
    deprecation: Deprecation,
  ) => void;
}

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
  /** The warnings for the answer, in order. */
  readonly warnings: string[];
  /** The state that a write is based on; absent if it is known to be the latest. */
  readonly unconfirmed?: UnconfirmedState | undefined;
  /** Called if the resource was redefined during the request, so nothing was written. */
  readonly superseded?: (() => void) | undefined;
}

/** Adds a warning, each only once. */
export function warn(request: VerbRequest, text: string): void {
  if (!request.warnings.includes(text)) request.warnings.push(text);
}

/** Receives the bodies of requests before the server uses them. It only keeps text. */
export interface BodyRecorder {
  /** Receives the object of a create or a replacement, with its defaults. `typed` is true for built-in kinds. */
  object(request: ApiRequest, object: ApiObject, typed: boolean): void;
  /** Receives the bytes of a patch before they are applied. */
  patch(request: ApiRequest, bytes: Uint8Array): void;
  /** Receives a configuration to apply. */
  configuration(request: ApiRequest, configuration: JsonObject): void;
  /** Receives the options in the body of a delete. */
  deletion(request: ApiRequest, options: JsonObject): void;
}

/**
 * A state that a write is based on, before it is confirmed to be the latest. The store only commits the first change on
 * the latest state, so a commit confirms the state.
 */
export class UnconfirmedState {
  #isConfirmed = false;
  #isOutdated = false;
  #isUncertain = false;

  constructor(private readonly before: Basis) {}

  /** Whether the answer is final: a change was made on the state, or may have been, and must not be made twice. */
  get isFinal(): boolean {
    return this.#isConfirmed || this.#isUncertain;
  }

  get isConfirmed(): boolean {
    return this.#isConfirmed;
  }

  /** Whether the state was not the latest. Decisions based on it are then void. */
  get isOutdated(): boolean {
    return this.#isOutdated;
  }

  /** The basis of the next change; `undefined` once the state is confirmed. */
  get basis(): Basis | undefined {
    return this.#isConfirmed ? undefined : this.before;
  }

  /** Receives the result of a change on that basis. */
  note(commit: Commit): void {
    if (commit.outcome === 'committed') this.#isConfirmed = true;
    if (commit.outcome !== 'failed') return;
    if (commit.outdated) this.#isOutdated = true;
    if (commit.failure.reason === 'Timeout') this.#isUncertain = true;
  }

  /** Confirms the state, for writes without a change. Returns why it cannot be confirmed, or `undefined` if it is. */
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

/** The services that stages share. */
export interface PipelineServices {
  readonly store: Store;
  /** Keeps parts of the server up to date with the store. */
  readonly follow: Follow;
  /** Finds a served resource by group and plural, in its stored version. */
  readonly resource: (group: string, plural: string) => ServedResource | undefined;
  /** The kinds that refer to others. */
  readonly relations: RelationTable;
  /** Decides which user may do what. */
  readonly authorizer: Authorizer;
  readonly authorize: Allows;
  readonly featureEnabled: (gate: string) => boolean;
  /** The release of the server. */
  readonly release: Release;
  /** Receives events for metrics. */
  readonly observer?: Observer;
  /** A random UUID, version 4. */
  readonly newUid: () => string;
  /** Random characters for generated names. */
  readonly nameSuffix: () => string;
}

/** The user of the server's own requests. */
export const itself: UserInfo = {
  name: 'system:apiserver',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

/** The field manager of the server's own writes. */
export const ownManager = 'kube-apiserver';
