/** The extension point for kinds that are never stored: reviews, tokens, evictions, connections. */
import type { Authentication, UserInfo } from './authenticator.js';
import type { Authorizer } from './authorizer.js';
import type { Failure, Result } from './failure.js';
import type { ApiObject } from './object.js';
import type { ObjectAccess } from './object-access.js';

/** The request that a handler answers, and its access to the server. */
export interface VirtualContext {
  readonly user: UserInfo;
  /** The namespace in the path; empty for cluster-scoped resources. */
  readonly namespace: string;
  /** The name in the path; empty for collections. */
  readonly name: string;
  /** Time of the request in milliseconds since the epoch. */
  readonly now: number;
  readonly dryRun: boolean;
  /** Returns the value of a query parameter; empty if it is absent. */
  readonly query: (name: string) => string;
  readonly objects: ObjectAccess;
  readonly authorizer: Authorizer;
  /** Authenticates a bearer token as if it came with a request. */
  readonly authenticate: (token: string, audiences: readonly string[]) => Promise<Authentication>;
  /** The audiences of tokens for the server itself. */
  readonly audiences: readonly string[];
  readonly featureEnabled: (gate: string) => boolean;
  /** Adds a Warning header to the answer. */
  readonly warn: (text: string) => void;
  /** Adds a note to the audit record of the request. */
  readonly annotate: (key: string, value: string) => void;
}

/** A text instead of an object: an answer of a subresource that connects. */
export interface TextAnswer {
  readonly code: number;
  readonly text: string;
}

/** An answer of a subresource that connects: the server forwards the request to a program and returns its answer. */
export interface ForwardAnswer {
  readonly forward: ForwardTarget;
}

/** The address of a program. */
export interface ForwardTarget {
  /** With `https`, the certificate is not verified. */
  readonly scheme: 'http' | 'https';
  /** An IP address, or a DNS name. */
  readonly host: string;
  /** 1 to 65535. */
  readonly port: number;
}

type Later<T> = T | Promise<T>;

/**
 * Answers the requests for one virtual kind, or for one subresource with its own kind. The server answers 405 to verbs
 * that it leaves out.
 */
export interface VirtualHandler<T = ApiObject> {
  /** By its platform name; empty for the core group. */
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /** Absent for the resource itself. */
  readonly subresource?: string;
  /** Checks a decoded object between mutating and validating admission; may fill it in. */
  readonly check?: (object: T, context: VirtualContext) => Later<Failure | undefined>;
  /** Does what the object asks for. Returns the completed object, or `done` for an answer without an object. */
  readonly create?: (object: T, context: VirtualContext) => Later<Result<T | 'done'>>;
  readonly get?: (context: VirtualContext) => Later<Result<T>>;
  readonly list?: (context: VirtualContext) => Later<Result<readonly T[]>>;
  /** Answers a request that opens a connection, with any method. */
  readonly connect?: (context: VirtualContext) => Later<Result<TextAnswer | ForwardAnswer>>;
}
