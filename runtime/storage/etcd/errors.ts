/** The errors of calls to etcd. */
import { status as Code, type ServiceError } from '@grpc/grpc-js';
import type { Failure } from '../../contract/index.js';
import { DriverError, type DriverErrorDetails, type DriverProblem } from '../shared/errors.js';

/** Thrown if a call to etcd fails. The message names the member, if one was called. */
export class EtcdError extends DriverError {
  /** Set if the call was not carried out because the login has expired. */
  readonly isLoggedOut: boolean;

  constructor(
    problem: DriverProblem,
    message: string,
    { isLoggedOut = false, ...details }: DriverErrorDetails & { readonly isLoggedOut?: boolean } = {},
  ) {
    super(problem, message, details);
    this.name = 'EtcdError';
    this.isLoggedOut = isLoggedOut;
  }
}

/** etcd's texts for a change that it did not take, but that another member may take, now or later. */
const UNSENT = [
  'No connection established',
  'Name resolution failed',
  'etcdserver: no leader',
  'etcdserver: too many requests',
  'etcdserver: not capable',
  'etcdserver: rpc not supported for learner',
];

const EXPIRED_TOKEN = ['etcdserver: invalid auth token', 'etcdserver: revision of auth store is old'];

/** Returns the error for a failure that gRPC reports, or for etcd's reason for ending a watch. */
export function toEtcdError(
  error: Partial<Pick<ServiceError, 'code' | 'details' | 'message'>> & { readonly isUnsent?: boolean },
  endpoint: string,
): EtcdError {
  const { code = Code.UNKNOWN, message: text = '', details = text } = error;
  const message = `etcd at ${endpoint}: ${details || 'no answer'}`;
  const says = (texts: readonly string[]): boolean => texts.some((text) => details.includes(text));
  if (says(EXPIRED_TOKEN)) return new EtcdError('unsent', message, { isLoggedOut: true });
  if (error.isUnsent || says(UNSENT)) return new EtcdError('unsent', message);
  if (details.includes('has been compacted')) return new EtcdError('compacted', message);
  if (details.includes('space exceeded')) return new EtcdError('refused', message, { full: true });
  if (details.includes('is too large') || code === Code.RESOURCE_EXHAUSTED) {
    return new EtcdError('refused', message, { failure: tooLarge(message) });
  }
  if (isFinal(code)) return new EtcdError('refused', message);
  return new EtcdError('uncertain', message);
}

/** Throws the error of a call that had to succeed before another one. Nothing of the other call was done. */
export function notMade(error: unknown): never {
  if (error instanceof EtcdError && error.problem === 'uncertain') throw new EtcdError('unsent', error.message);
  throw error;
}

/** Checks for the codes with which etcd refuses a call after it has examined it. */
function isFinal(code: Code): boolean {
  return (
    code === Code.INVALID_ARGUMENT ||
    code === Code.PERMISSION_DENIED ||
    code === Code.UNAUTHENTICATED ||
    code === Code.FAILED_PRECONDITION ||
    code === Code.UNIMPLEMENTED
  );
}

/** Returns the failure of a change that is too large for one request. */
const tooLarge = (message: string): Failure => ({
  reason: 'RequestEntityTooLarge',
  message: `Request entity too large: ${message}`,
});

export class CallError extends Error {
  constructor(
    readonly code: Code,
    /** The server's message; this side's own if the server has not answered. */
    readonly details: string,
    /** True if the server has certainly not started the call. */
    readonly isUnsent = false,
  ) {
    super(details);
    this.name = 'CallError';
  }
}

/** Returns the error of a call that was not sent. */
export const unsent = (details: string): CallError => new CallError(Code.UNAVAILABLE, details, true);

/**
 * Returns the message of an error. An error that combines several, such as one for each address of a name, has no
 * message of its own.
 */
export function wordsOf(error: Error): string {
  if (error.message !== '') return error.message;
  return error instanceof AggregateError ? error.errors.map(String).join('; ') : error.name;
}
