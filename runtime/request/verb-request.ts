/** A request to a verb: its user, its resource, and the services that verbs use. */

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

/** Passes requests on to programs behind objects. */
export interface Forwarder {
  /** Returns the answer of the program, or why there is none. `peer` is for servers that this one and they trust. */
  forward(
    request: ApiRequest,
    target: ForwardTarget,
    path: ForwardPath,
    peer?: ForwardPeer,
  ): Promise<Result<ApiResponse>>;
  /** Breaks off what is still open. */
  close(): void;
}

/** A server that verifies the certificate of this one, and takes its word for who the user is. */
export interface ForwardPeer {
  /** Connects once for each request, and verifies the certificate of the server. */
  readonly agent: Agent;
  /** The same with kept connections. */
  readonly keptAgent: Agent;
  /** Further headers, names and values by turns. */
  readonly headers: readonly string[];
  /** Time for the head of the answer, milliseconds; absent for answers that may begin late, such as watches. */
  readonly answerMs?: number | undefined;
}

/** The two parts of the path of a request that is passed on, both as they were sent. */
export interface ForwardPath {
  /** Ends with the subresource. */
  readonly before: string;
  /** The path that the program is asked for, from its slash on; empty if the request names none. */
  readonly rest: string;
}

/** The services that verbs share. */
export interface VerbServices extends PipelineServices {
  /** The served group of the meta kinds, as in `meta.platform.io`. */
  readonly metaGroup: string;
  /** The served media type of protobuf bodies. */
  readonly protobufMediaType: string;
  /** Annotation that marks the bookmark after the initial events of a streaming list. */
  readonly endOfInitialEvents: string;
  /** The manager that changes from client-side to server-side apply. */
  readonly clientSideApply: ClientSideApply;
  /** Largest request body in bytes. */
  readonly maxBodyBytes: number;
  /**
   * The number of bytes of changes that a watcher may fall behind. It is then cut off, and has to list and watch again.
   */
  readonly watchBufferBytes: number;
  readonly continueTokens: ContinueTokens;
  readonly listsInMaking: ListsInMaking;
  /** Receives defects that break off an answer after its head has been sent. */
  readonly onDefect: (error: unknown, request: ApiRequest) => void;
  readonly forwarder: Forwarder;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /**
   * Calls a function after a time in milliseconds by the same clock, and returns how to cancel it. Default: a timer of
   * Node.
   */
  readonly after?: Clock['after'];
  /** Finds the user of a bearer token. */
  readonly authenticate: VirtualContext['authenticate'];
  /** The audiences of tokens for the server itself. */
  readonly audiences: readonly string[];
  /** Whether any resource, served or not, has this kind in this apiVersion. */
  readonly knowsKind: (apiVersion: string, kind: string) => boolean;
  /** Copies an object in another version of its kind; returns `undefined` if there is no such version. */
  readonly convert: AdmissionContext['convert'];
  /** Makes an object of a value of any kind, with the unknown fields of custom resources. */
  readonly decode?: AdmissionContext['decode'];
  /** Merges a configuration into an object of any kind. */
  readonly merge?: AdmissionContext['merge'];
  /** Returns the milliseconds that a request may take. */
  readonly timeAllowed?: (request: ApiRequest) => number;
  /** Notes something for the audit of a request; absent without an audit log. */
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
  /** Warnings gathered for the answer, in order. */
  readonly warnings: string[];
  /** The state that a write is decided on; absent if it is known to be the latest. */
  readonly unconfirmed?: UnconfirmedState | undefined;
  /** Called if nothing was written because the resource has changed since. */
  readonly superseded?: (() => void) | undefined;
}

/** Adds a warning, each only once. */
export function warn(request: VerbRequest, text: string): void {
  if (!request.warnings.includes(text)) request.warnings.push(text);
}

/** Receives the bodies of requests after they are read and before they are used. It keeps only text. */
export interface BodyRecorder {
  /** Receives an object that is created or replaces another, with its defaults. `typed` is true for built-in kinds. */
  object(request: ApiRequest, object: ApiObject, typed: boolean): void;
  /** Receives the bytes of a patch before they are applied. */
  patch(request: ApiRequest, bytes: Uint8Array): void;
  /** Receives a configuration to apply. */
  configuration(request: ApiRequest, configuration: JsonObject): void;
  /** Receives the options in the body of a delete. */
  deletion(request: ApiRequest, options: JsonObject): void;
}

/**
 * A state that a write is decided on and that is not confirmed yet. A first change can only be made on the latest
 * state, so it confirms the state.
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

  /** Whether the state was not the latest, so that decisions based on it do not count. */
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

  /**
   * Confirms the state if no change will confirm it. Returns why the state does not count, or `undefined` if it does.
   */
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
  /** Receives what was done, for metrics. */
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
