/** The errors of calls to etcd, and what they mean for the caller. */
import { status as Code, type ServiceError } from '@grpc/grpc-js';
import type { Failure } from '../../contract/index.js';
import type { EtcdRevision } from './numbering.js';

/**
 * The problem of a failed call. `unsent`: etcd has not taken it; another member may. `uncertain`: it may have been
 * carried out. `token`: the login has expired. `compacted`: the revision is no longer kept. `refused`: it will not be
 * carried out, now or later.
 */
export type EtcdProblem = 'unsent' | 'uncertain' | 'token' | 'compacted' | 'refused';

/** A call to etcd that failed. The message names the member if one was called. */
export class EtcdError extends Error {
  constructor(
    readonly problem: EtcdProblem,
    message: string,
    readonly failure: Failure = unavailable(message),
  ) {
    super(message);
    this.name = 'EtcdError';
  }
}

/** Texts by which etcd says that it has not taken a change, and that another member or a later moment may do better. */
const UNSENT = [
  'No connection established',
  'Name resolution failed',
  'etcdserver: no leader',
  'etcdserver: too many requests',
  'etcdserver: not capable',
  'etcdserver: rpc not supported for learner',
];

const EXPIRED_TOKEN = ['etcdserver: invalid auth token', 'etcdserver: revision of auth store is old'];

/** Makes sense of what gRPC reports about a call to a member, or of the words with which etcd ends a watch. */
export function toEtcdError(
  error: Partial<Pick<ServiceError, 'code' | 'details' | 'message'>> & { readonly isUnsent?: boolean },
  endpoint: string,
): EtcdError {
  const { code = Code.UNKNOWN, message: text = '', details = text } = error;
  const message = `etcd at ${endpoint}: ${details || 'no answer'}`;
  const says = (texts: readonly string[]): boolean => texts.some((text) => details.includes(text));
  if (says(EXPIRED_TOKEN)) return new EtcdError('token', message);
  if (error.isUnsent || says(UNSENT)) return new EtcdError('unsent', message);
  if (details.includes('has been compacted')) return new EtcdError('compacted', message);
  if (details.includes('is too large') || code === Code.RESOURCE_EXHAUSTED) return refusedOversize(message, details);
  if (isFinal(code)) return new EtcdError('refused', message);
  return new EtcdError('uncertain', message);
}

/** Checks for the codes with which etcd refuses a call that it has looked at. */
function isFinal(code: Code): boolean {
  return (
    code === Code.INVALID_ARGUMENT ||
    code === Code.PERMISSION_DENIED ||
    code === Code.UNAUTHENTICATED ||
    code === Code.FAILED_PRECONDITION ||
    code === Code.UNIMPLEMENTED
  );
}

/** Returns the error for a change that is too large for one request, or for etcd's full disk quota. */
function refusedOversize(message: string, details: string): EtcdError {
  if (details.includes('space exceeded')) return new EtcdError('refused', message);
  const failure: Failure = { reason: 'RequestEntityTooLarge', message: `Request entity too large: ${message}` };
  return new EtcdError('refused', message, failure);
}

/** Returns a 503: etcd could not be asked, or refused. */
export function unavailable(message: string): Failure {
  return { reason: 'ServiceUnavailable', message, details: { retryAfterSeconds: 1 } };
}

/** Returns a 503: etcd holds other data than before, in which revisions would go back. */
export function replaced(revision: EtcdRevision, known: EtcdRevision): Failure {
  return unavailable(
    `etcd is at revision ${revision}, but was at ${known} before: its data was replaced; restart this server`,
  );
}

/** Returns the failure for anything thrown within the store. */
export function failureOf(error: unknown): Failure {
  if (error instanceof EtcdError) return error.failure;
  return unavailable(error instanceof Error ? error.message : String(error));
}

export class CallError extends Error {
  constructor(
    readonly code: Code,
    /** The words of the server or, if it has not answered, of this side. */
    readonly details: string,
    /** True if the server has certainly not begun with the call. */
    readonly isUnsent = false,
  ) {
    super(details);
    this.name = 'CallError';
  }
}

/** Makes the error of a call that was not sent. */
export const unsent = (details: string): CallError => new CallError(Code.UNAVAILABLE, details, true);

/**
 * Returns the words of an error. An error that combines several, as for all addresses of a name, has no words of its
 * own.
 */
export function wordsOf(error: Error): string {
  if (error.message !== '') return error.message;
  return error instanceof AggregateError ? error.errors.map(String).join('; ') : error.name;
}
