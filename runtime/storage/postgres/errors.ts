/** Makes errors of drivers from the errors of PostgreSQL and of its client. */
import { DriverError, type DriverProblem } from '../shared/errors.js';

/**
 * The moment at which a call failed. `connecting`: nothing was sent. `reading`: nothing can have been changed. `lost`:
 * the connection has ended during a change.
 */
export type Stage = 'connecting' | 'reading' | 'changing' | 'lost';

/** An error that the server has sent. Its severity and message are in the server's language. */
interface ServerError {
  /** The SQLSTATE. */
  readonly code: string;
  readonly message: string;
}

/** States in which the server rolled back the transaction, and a new try may succeed at once. */
const PASSING = new Set(['40001', '40P01', '55P03']);

/** Checks whether the call did nothing because of concurrent calls. The server then rolls it back in every case. */
export function isPassing(error: unknown): boolean {
  return isServerError(error) && PASSING.has(error.code);
}

/** Checks whether the connection can no longer be used: the server only reads, or a transaction was left open. */
export function isMisplaced(error: unknown): boolean {
  return isServerError(error) && (error.code === READ_ONLY || error.code === LEFT_OPEN);
}

const READ_ONLY = '25006';
const LEFT_OPEN = '25P02';
const DISK_FULL = '53100';
const NO_RIGHT = '42501';
const NOT_LET_IN = '28000';

/** Checks whether another way to connect, with TLS or without it, may succeed. */
export function isRefusedWay(error: unknown): boolean {
  if (isServerError(error)) return error.code === NOT_LET_IN;
  return error instanceof Error && error.message.includes('does not support SSL');
}

/** Makes a `DriverError` from any error of a call. `place` is the address of the server. */
export function toProblem(error: unknown, stage: Stage, place: string): DriverError {
  if (error instanceof DriverError) return error;
  const said = error instanceof Error ? error.message : String(error);
  const message = `PostgreSQL at ${place}: ${said}`;
  if (stage === 'connecting' && isDistrust(error)) return new DriverError('refused', message);
  // A full disk may end the server while it writes the commit. The commit may be on the disk afterwards.
  if (stage === 'lost') return new DriverError('uncertain', message);
  if (!isServerError(error)) return new DriverError(stage === 'changing' ? 'uncertain' : 'unsent', message);
  return serverProblem(error, stage, message);
}

function serverProblem({ code }: ServerError, stage: Stage, message: string): DriverError {
  const problem = problemOf(code, stage);
  switch (code) {
    case DISK_FULL:
      return new DriverError('refused', `${message}; free some space on its disk`, { full: true });
    case READ_ONLY:
      return new DriverError('unsent', `${message}; this server only reads, as a standby does: name the primary`);
    case NO_RIGHT:
      return new DriverError('refused', `${message}; grant this right to the role of the URL`);
    case '42P01':
    case '42883':
    case '3F000':
      return new DriverError('refused', `${message}; the tables are gone: restart this server to create them`);
    default:
      return new DriverError(problem, message);
  }
}

function problemOf(code: string, stage: Stage): DriverProblem {
  if (stage === 'connecting') return isHopeless(code) ? 'refused' : 'unsent';
  // The connection or the server ended. The change may already be committed, for example while it waited for a standby.
  const isEnd = code.startsWith('08') || code.startsWith('57P') || code === '58000';
  if (isEnd) return stage === 'changing' ? 'uncertain' : 'unsent';
  return isHopeless(code) ? 'refused' : 'unsent';
}

/** Checks whether a login, name, value or statement is wrong, so that a later try would fail too. */
const isHopeless = (code: string): boolean => /^(?:0A|22|23|28|3D|3F|42|54)/.test(code);

/** Checks whether TLS failed, for example because another authority signed the certificate. */
function isDistrust(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return /^(?:ERR_TLS|ERR_SSL|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_)/.test(String(error.code));
}

function isServerError(error: unknown): error is ServerError {
  if (!(error instanceof Error) || !('code' in error) || !('severity' in error)) return false;
  return typeof error.code === 'string' && error.code.length === 5;
}
