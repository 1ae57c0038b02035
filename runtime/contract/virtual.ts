/** The extension point for what is asked of the server but never stored: reviews, tokens, evictions, connections. */
import type { Authentication } from './authenticator.js';
import type { Authorizer } from './authorizer.js';
import type { Failure, Result } from './failure.js';
import type { ApiObject } from './object.js';
import type { UserInfo } from './user.js';

/** Where a stored object is. */
export interface ObjectPlace {
  /** Empty for the core group. */
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
}

/** What a delete may be bound to, and how it goes about. */
export interface DeleteDemands {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagation?: 'Orphan' | 'Foreground' | 'Background';
  /** Seconds until the end, for kinds that take their time; as their objects say where not given. */
  readonly gracePeriodSeconds?: number;
}

/**
 * A handler's narrow way to stored objects, in the version that they are stored in. What is read is frozen. Changes are
 * committed as they are: neither admission nor validation is asked, and nobody's fields change owners. In a dry run
 * nothing is written.
 */
export interface ObjectAccess {
  readonly get: (place: ObjectPlace) => ApiObject | undefined;
  /** All of a namespace, or of the cluster where it is empty. */
  readonly list: (place: Omit<ObjectPlace, 'name'>) => readonly ApiObject[];
  /**
   * Changes an object in place, again where another writer was faster. Fails with `NotFound`, with what the change
   * fails with, and with `Conflict` where others keep being faster.
   */
  readonly update: (
    place: ObjectPlace,
    change: (object: ApiObject) => Failure | undefined,
  ) => Promise<Result<ApiObject>>;
  /** Deletes an object as a client would. */
  readonly delete: (place: ObjectPlace, demands: DeleteDemands) => Promise<Result<ApiObject>>;
}

/** What a handler may know of a request and ask of the server. */
export interface VirtualContext {
  readonly user: UserInfo;
  /** Of the path; empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Of the path; empty for collections. */
  readonly name: string;
  /** Time of the request in milliseconds since the epoch. */
  readonly now: number;
  readonly dryRun: boolean;
  /** The value of a parameter of the query; empty where it is not there. */
  readonly query: (name: string) => string;
  readonly objects: ObjectAccess;
  readonly authorizer: Authorizer;
  /** Finds out whose a bearer token is, as for a request that comes with it. */
  readonly authenticate: (token: string, audiences: readonly string[]) => Promise<Authentication>;
  /** Whom tokens for the server itself are for. */
  readonly audiences: readonly string[];
  /** Adds a Warning header to the answer. */
  readonly warn: (text: string) => void;
}

/** A text in place of an object: an answer of a subresource that connects. */
export interface TextAnswer {
  readonly code: number;
  readonly text: string;
}

type Later<T> = T | Promise<T>;

/**
 * What answers the requests for one virtual kind, or for one subresource with a kind of its own. A verb that it leaves
 * out is answered with 405.
 */
export interface VirtualHandler {
  /** By its platform name; empty for the core group. */
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /** Absent for the resource itself. */
  readonly subresource?: string;
  /** Looks at a decoded object after mutating and before validating admission; may fill it in. */
  readonly check?: (object: ApiObject, context: VirtualContext) => Later<Failure | undefined>;
  /** Does what the object asks for. Answers the object, filled in, or that it is done. */
  readonly create?: (object: ApiObject, context: VirtualContext) => Later<Result<ApiObject | 'done'>>;
  readonly get?: (context: VirtualContext) => Later<Result<ApiObject>>;
  readonly list?: (context: VirtualContext) => Later<Result<readonly ApiObject[]>>;
  /** Answers what would open a connection, by whatever method. */
  readonly connect?: (context: VirtualContext) => Later<Result<TextAnswer>>;
}
