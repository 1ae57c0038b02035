/** The extension point for kinds that are never stored: reviews, tokens, evictions, connections. */
import type { Authentication, UserInfo } from './authenticator.js';
import type { Authorizer } from './authorizer.js';
import type { Failure, Result } from './failure.js';
import type { ApiObject } from './object.js';
import type { ObjectAccess } from './object-access.js';

/** The request that a handler answers, and its ways to the server. */
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
  /** Authenticates a bearer token, as for a request that comes with it. */
  readonly authenticate: (token: string, audiences: readonly string[]) => Promise<Authentication>;
  /** The audiences of tokens for the server itself. */
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
 * Answers the requests for one virtual kind, or for one subresource with a kind of its own. A verb that it leaves out
 * is answered with 405.
 */
export interface VirtualHandler<T = ApiObject> {
  /** By its platform name; empty for the core group. */
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /** Absent for the resource itself. */
  readonly subresource?: string;
  /** Looks at a decoded object after mutating and before validating admission; may fill it in. */
  readonly check?: (object: T, context: VirtualContext) => Later<Failure | undefined>;
  /** Does what the object asks for. Answers the object, filled in, or that it is done. */
  readonly create?: (object: T, context: VirtualContext) => Later<Result<T | 'done'>>;
  readonly get?: (context: VirtualContext) => Later<Result<T>>;
  readonly list?: (context: VirtualContext) => Later<Result<readonly T[]>>;
  /** Answers what would open a connection, by whatever method. */
  readonly connect?: (context: VirtualContext) => Later<Result<TextAnswer>>;
}
