/** Puts what went wrong at a server into words: what it refused, why, and what to do. */
import { ApiError, isConnectionError } from '../../client/index.js';
import { withAdvice } from '../../runtime/objects/failures.js';
import type { Ending } from '../exit-codes.js';

/** The names that advice mentions, as far as they are known. */
export interface About {
  /** As in `--server`, or a path of a kubeconfig. */
  readonly from?: string;
  /** As it was typed. */
  readonly resource?: string;
  readonly verb?: string;
  readonly namespace?: string;
}

/** How the command ends, and lines for standard error. */
export interface FailureReport {
  readonly ending: Ending;
  readonly lines: readonly string[];
}

/** Rethrows nothing: whatever it is gets a line. */
export function reportFailure(error: unknown, about: About = {}): FailureReport {
  if (error instanceof Refusal)
    return told(
      error instanceof NoServer || error instanceof WrongFlag ? 'failed' : 'refused',
      error.message,
      error.advice,
    );
  if (error instanceof ApiError) return tellRefusal(error, about);
  if (isConnectionError(error)) {
    const from = about.from === undefined ? '' : ` (the address comes from ${about.from})`;
    return told('failed', `${error.message}${from}`, [
      certificateAdvice(error) ??
        'Is the server running? kindforge serve starts one; kindforge doctor looks for what may be wrong',
    ]);
  }
  return told('failed', error instanceof Error ? error.message : String(error), []);
}

/** Returns advice if a server answered with a certificate that cannot be verified; `undefined` for other errors. */
export function certificateAdvice({ cause }: Error): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const code = 'code' in cause ? String(cause.code) : '';
  if (unknownAuthority.has(code))
    return 'The server answers, but this client does not trust its authority: use the kubeconfig or ca.crt that kindforge serve has written for this store';
  if (wrongCertificate.has(code))
    return 'The server answers, but its certificate is not valid here: check its names and dates, and the clock of this machine';
  return certificateAdvice(cause);
}

/** Returns what to add to the message of a server that was not reached, for commands that print one line. */
export function connectionHint(error: Error): string {
  const advice = certificateAdvice(error);
  return advice === undefined ? '; is the server running, and is this its address?' : `\n${advice}`;
}

/** Codes of Node's errors, by which OpenSSL says why it does not trust a certificate. */
const unknownAuthority: ReadonlySet<string> = new Set([
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const wrongCertificate: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

const told = (
  ending: Ending,
  message: string,
  advice: readonly string[],
  details: readonly string[] = [],
): FailureReport => ({
  ending,
  lines: [
    `kindforge: ${withAdvice(message, process.cwd())}`,
    ...details.map((line) => `  ${line}`),
    ...advice.map((line) => `  → ${line}`),
  ],
});

function tellRefusal(error: ApiError, about: About): FailureReport {
  const causes = error.status.details?.causes ?? [];
  const details = causes.map(({ field = '', message = '' }) => (field === '' ? message : `${field}: ${message}`));
  const message = details.length === 0 ? error.message : withoutCauses(error.message);
  const reason = error.reason === '' ? `the server answered ${error.code}` : `the server refused (${error.reason})`;
  return told('refused', `${reason}: ${message}`, adviceFor(error, about), details);
}

/** Cuts off the part of a message that repeats its causes. */
const withoutCauses = (message: string): string =>
  /^(.*? is invalid|Apply failed with \d+ conflicts?|Operation cannot be fulfilled on \S+ "[^"]*"):/s.exec(
    message,
  )?.[1] ?? message;

/** Returns advice by the reason of the Status, which is a closed set. */
function adviceFor(error: ApiError, about: About): readonly string[] {
  const { resource = 'RESOURCE', verb = 'VERB', namespace } = about;
  const { details } = error.status;
  switch (error.reason) {
    case 'NotFound':
      return [`kindforge get ${resource}${namespace === undefined ? '' : ' -A'} prints what is there`];
    case 'AlreadyExists':
      return ['Choose another name, or change the object that is there with kindforge apply'];
    case 'Conflict':
      if (details?.causes?.some(({ reason }) => reason === 'StillReferenced'))
        return ['Delete the objects that refer to it first, or let them name another one'];
      return details?.causes?.some(({ reason }) => reason === 'FieldManagerConflict')
        ? ['Leave these fields out, or take them over with --force-conflicts']
        : ['Another client changed the object meanwhile: try again'];
    case 'Invalid':
    case 'BadRequest':
      return [`kindforge explain ${resource} lists the fields, and what they hold`];
    case 'Unauthorized':
      // The server says more only to those whom it knew.
      if (error.message !== 'Unauthorized') return [];
      return ['The server does not know who you are: give --kubeconfig FILE, or --token TOKEN'];
    case 'Forbidden':
      // Admission refuses with the same reason; then no right is missing.
      return / cannot \S+ (?:resource|path) "/.test(error.message)
        ? [`kindforge access why ${verb} ${resource} says which right is missing`]
        : [];
    case 'Gone':
    case 'Expired':
      return ['The server no longer has this history: list again without a resourceVersion'];
    case 'TooManyRequests':
    case 'ServiceUnavailable':
    case 'ServerTimeout':
      return [`Try it again${details?.retryAfterSeconds ? ` after ${details.retryAfterSeconds} s` : ' after a while'}`];
    case 'Timeout':
      return [`The change may or may not have been made: check with kindforge get ${resource}`];
    case 'RequestEntityTooLarge':
      return ['Make the object smaller, or raise --max-object-bytes of kindforge serve'];
    default:
      return [];
  }
}

/** The message says what is wrong and where. `advice` says what to do about it. */
export class Refusal extends Error {
  readonly advice: readonly string[];

  constructor(message: string, ...advice: readonly string[]) {
    super(message);
    this.advice = advice;
  }
}

/** A flag says what cannot be done. */
export class WrongFlag extends Refusal {}

/** No server can be asked: none is known, or what names it is wrong. */
export class NoServer extends Refusal {}
