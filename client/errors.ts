/** Errors of requests, and guards for them. */
import type { Status } from './types.js';

/**
 * Returns whether an error belongs to a class, by a mark: a program may load this module twice, for example inside the
 * bundled test server. Derived classes use plain `instanceof`.
 */
export function isOfClass(value: unknown, asked: unknown, marked: unknown, mark: symbol): boolean {
  if (asked === marked) return typeof value === 'object' && value !== null && mark in value;
  return typeof asked === 'function' && Function.prototype[Symbol.hasInstance].call(asked, value);
}

const connectionMark = Symbol.for('kindforge.ConnectionError');
const apiMark = Symbol.for('kindforge.ApiError');

/** A request that got no answer, or a partial one. The server may have executed it. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  /** `what` failed because of `cause`. */
  constructor(what: string, cause: unknown) {
    super(`${what}: ${reasonOf(cause)}`, { cause });
  }

  /** Returns whether a value is such an error, even from another copy of the SDK. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: in a derived class, this is that class.
    return isOfClass(value, this, ConnectionError, connectionMark);
  }

  /** @internal */
  get [connectionMark](): true {
    return true;
  }
}

/** Returns the innermost message, because the outer ones only say that something failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

/** A request that the server refused or could not carry out. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  /** HTTP code. */
  readonly code: number;
  readonly status: Status;

  constructor(code: number, status: Status) {
    super(status.message ?? `the server answered ${code}`);
    this.code = code;
    this.status = status;
  }

  /** Returns whether a value is such an error, even from another copy of the SDK. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: in a derived class, this is that class.
    return isOfClass(value, this, ApiError, apiMark);
  }

  /** @internal */
  get [apiMark](): true {
    return true;
  }

  /** Machine-readable reason, as in `NotFound`; empty if the server sent none. */
  get reason(): string {
    return this.status.reason ?? '';
  }
}

const hasReason =
  (...reasons: string[]) =>
  (error: unknown): error is ApiError =>
    error instanceof ApiError && reasons.includes(error.reason);

/** Returns whether the object does not exist, or the path is not served. */
export const isNotFound = (error: unknown): error is ApiError =>
  // Servers answer paths of unknown groups without a Status.
  error instanceof ApiError && (error.reason === 'NotFound' || error.code === 404);
/** The name is taken. */
export const isAlreadyExists = hasReason('AlreadyExists');
/**
 * Another client changed the object first, or another manager owns a field of an apply. Read the object again and
 * retry.
 */
export const isConflict = hasReason('Conflict');
/** The object breaks rules; `error.status.details.causes` says which. */
export const isInvalid = hasReason('Invalid');
/** The caller may not do this. */
export const isForbidden = hasReason('Forbidden');
/** The server does not know who the caller is. */
export const isUnauthorized = hasReason('Unauthorized');
/** The server no longer has this history: list again, then watch from there. */
export const isGone = hasReason('Gone', 'Expired');
/** The request makes no sense. */
export const isBadRequest = hasReason('BadRequest');
/** Returns whether the server gave no answer, or a partial one. */
export const isConnectionError = (error: unknown): error is ConnectionError => error instanceof ConnectionError;
/** Returns whether the server cannot answer at present. The client retries before it throws this error. */
export const isServiceUnavailable = (error: unknown): error is ApiError =>
  // A proxy before a server that does not answer sends no Status.
  error instanceof ApiError && (error.reason === 'ServiceUnavailable' || error.code === 503);

/** The server does not know whether it made the change: read the object to find out. */
export const isTimeout = hasReason('Timeout');
/** The server is busy. The client retries before it throws this error. */
export const isTooManyRequests = hasReason('TooManyRequests');

/** The request is larger than the server accepts. */
export const isTooLarge = hasReason('RequestEntityTooLarge');

/** Makes an error from an answer's code and body. */
export function toApiError(code: number, body: string): ApiError {
  return new ApiError(
    code,
    readStatus(body) ?? {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      message: body.trim() || `the server answered ${code}`,
      code,
    },
  );
}

/** Reads the Status in a body. Returns `undefined` for anything else. */
export function readStatus(body: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isStatus(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a value is a Status. */
export const isStatus = (value: unknown): value is Status =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status';
