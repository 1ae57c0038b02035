/** The log of `kindforge serve`: problems, and requests if a flag asks for them. */

import type { DestinationStream } from 'pino';
import { loadingText } from '../../server/load-definitions.js';
import type { LoadProgress, RequestRecord } from '../../server/options.js';

/** From the least to the most important. */
export const logLevels = ['info', 'warn', 'error'] as const;

export type LogLevel = (typeof logLevels)[number];

/** A log. Secrets must not reach it: see `scrub`. */
export interface Log {
  /** Logs a problem that does not end the server: as an error if something was thrown, else as a warning. */
  problem(problem: string, error?: unknown): void;
  /** Logs a fact that is not a problem. */
  notice(text: string): void;
  /** Logs an answered request. */
  request(record: RequestRecord): void;
  /** Logs why the command ends. */
  failure(message: string): void;
}

export interface LogOptions {
  readonly format: 'text' | 'json';
  /** The log leaves out less important lines. */
  readonly level: LogLevel;
}

export const isShown = (of: LogLevel, level: LogLevel): boolean => logLevels.indexOf(of) >= logLevels.indexOf(level);

const patterns: readonly (readonly [RegExp, string])[] = [
  // Credentials of RFC 9110, with anything before them.
  [/\b(bearer|basic|negotiate|digest)\s+[\w\-.~+/:]{6,}=*/gi, '$1 …'],
  // Protocols of WebSockets that carry a token.
  [/(base64url\.bearer\.[\w.-]*?\.)[\w-]{6,}/gi, '$1…'],
  // JSON Web Tokens.
  [/\beyJ[\w-]{6,}\.[\w-]+(\.[\w-]*)?/g, '…'],
  // Bootstrap tokens.
  [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, '…'],
  // User and password in a URL.
  [/(\b\w+:\/\/)[^\s/@]+@/g, '$1…@'],
  [
    /-----BEGIN ([A-Z ]*)PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    '-----BEGIN $1PRIVATE KEY-----…',
  ],
  // Members, headers and parameters with the name of a secret.
  [
    /(["']?(?<![\w-])(?:[\w-]*(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|authorization|cookie|private[_-]?key))["']?\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s,;&}"']+)/gi,
    '$1…',
  ],
];

export const scrub = (text: string): string =>
  patterns.reduce((scrubbed, [pattern, instead]) => scrubbed.replace(pattern, instead), text);

/** Returns the stack trace of an error and of its causes, without secrets. */
export function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return scrub(String(error));
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return scrub(error.cause === undefined ? own : `${own}\n  cause: ${traceOf(error.cause)}`);
}

export function textLog(level: LogLevel, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const line = (text: string): void => write(`kindforge: ${text}\n`);
  return {
    problem(problem, error) {
      if (!isShown(error === undefined ? 'warn' : 'error', level)) return;
      line(error === undefined ? scrub(problem) : `${scrub(problem)}: ${traceOf(error)}`);
    },
    notice(text) {
      if (isShown('info', level)) line(scrub(text));
    },
    request({ auditId, method, verb, target, code, seconds, user }) {
      if (!isShown('info', level)) return;
      const took = `${(seconds * 1000).toFixed(1)} ms`;
      line(`${method} ${scrub(target)} ${code} ${took} ${verb || '-'} ${quoted(user)} ${auditId}`);
    },
    failure: line,
  };
}

/** Quotes user names with unusual characters, so that each record stays in one line. Users can choose their names. */
const quoted = (user: string): string => {
  if (user === '') return '-';
  return /^[\w.:@/+-]+$/.test(user) ? user : JSON.stringify(user);
};

type Pino = Pick<typeof import('pino'), 'destination' | 'pino' | 'stdTimeFunctions'>;

/** Writes lines at once, so that none is lost when the process ends. */
export function jsonLog(
  { destination, pino, stdTimeFunctions }: Pino,
  level: LogLevel,
  to: DestinationStream = destination({ fd: 2, sync: true }),
): Log {
  const logger = pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    to,
  );
  return {
    problem(problem, error) {
      if (error === undefined) logger.warn(scrub(problem));
      else logger.error({ error: traceOf(error) }, scrub(problem));
    },
    notice: (text) => logger.info(scrub(text)),
    request({ target, seconds, ...record }) {
      logger.info({ ...record, target: scrub(target), seconds: Number(seconds.toFixed(6)) }, 'request');
    },
    failure: (message) => logger.fatal(message),
  };
}

/**
 * Opens a log on standard error. Loads the library for JSON only if needed, because loading takes a tenth of a start.
 */
export async function openLog({ format, level }: LogOptions): Promise<Log> {
  return format === 'json' ? jsonLog(await import('pino'), level) : textLog(level);
}

/** The time between two lines, milliseconds. */
const pauseMs = 2000;

/** Logs progress, at most one line every two seconds. `now` is a clock in milliseconds. */
export function loadingNotice(
  log: Pick<Log, 'notice'>,
  now: () => number = Date.now,
): (progress: LoadProgress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (progress) => {
    if (now() - last < pauseMs) return;
    last = now();
    log.notice(loadingText(progress));
  };
}
