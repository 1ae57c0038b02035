/** Signs people in to the console by codes that the server prints: each works once, and only for a short time. */
import { createHash, randomBytes } from 'node:crypto';
import type { Authenticator } from '../../runtime/contract/index.js';
import { administratorUser, bearerToken } from './tokens.js';

/** How long a code works, milliseconds. */
export const codeLifeMs = 120_000;
/** How long a session lasts, milliseconds. It ends with the server, too. */
const sessionLifeMs = 12 * 3_600_000;
/** The most codes and sessions. Older ones end. */
const mostKept = 100;

/** A session of the administrator. */
export interface ConsoleSession {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface ConsoleSessions {
  /** Recognizes the tokens of sessions. */
  readonly authenticator: Authenticator;
  /** Makes a code. */
  newCode(): string;
  /** Begins a session with a code. Returns `undefined` if the code is unknown, used or too old. */
  begin(code: string): ConsoleSession | undefined;
  /** Returns the hashes of all sessions, with the times at which they end, for other processes of the server. */
  known(): readonly KnownSession[];
  /** Recognizes sessions that another process has begun. */
  take(sessions: readonly KnownSession[]): void;
}

/** The hash of the token of a session, and when it ends, in milliseconds since 1970. */
export type KnownSession = readonly [hash: string, expiresAt: number];

/** Keeps codes and sessions in memory only. `clock` returns milliseconds since 1970. */
export function defineConsoleSessions(clock: () => number = Date.now): ConsoleSessions {
  // A lookup by hash does not reveal how much of a guess is right.
  const codes = new Map<string, number>();
  const sessions = new Map<string, number>();
  return {
    authenticator: {
      name: 'console',
      authenticate(credentials) {
        const token = sessions.size === 0 ? undefined : bearerToken(credentials);
        const end = token === undefined ? undefined : sessions.get(hashOf(token));
        return end !== undefined && clock() < end ? { user: administratorUser } : undefined;
      },
    },
    newCode: () => keep(codes, clock() + codeLifeMs),
    begin(code) {
      const hash = hashOf(code);
      const end = codes.get(hash);
      codes.delete(hash);
      if (end === undefined || clock() >= end) return undefined;
      const expiresAt = clock() + sessionLifeMs;
      return { token: keep(sessions, expiresAt), expiresAt };
    },
    known: () => [...sessions],
    take(known) {
      for (const [hash, end] of known) sessions.set(hash, end);
    },
  };
}

/** Makes a secret, and keeps its hash with the time at which it ends. */
function keep(ends: Map<string, number>, end: number): string {
  const secret = randomBytes(32).toString('base64url');
  ends.set(hashOf(secret), end);
  const [oldest] = ends.keys();
  if (ends.size > mostKept && oldest !== undefined) ends.delete(oldest);
  return secret;
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64');
