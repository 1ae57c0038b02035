/** The log of `kindforge serve`: what goes wrong, and each request where that is asked for. */
import type { RequestRecord } from '../../server/options.js';

/** From the least to the most important. */
export const logLevels = ['info', 'warn', 'error'] as const;

export type LogLevel = (typeof logLevels)[number];

/** Lines of a log. Nothing that is secret may reach it: see `scrub.ts`. */
export interface Log {
  /** Something that the server survives: an error where one was thrown, else a warning. */
  problem(problem: string, error?: unknown): void;
  /** Something that people may want to know, and that is as it should be. */
  notice(text: string): void;
  /** One request that was answered. */
  request(record: RequestRecord): void;
  /** Why the command ends. */
  failure(message: string): void;
}

export interface LogOptions {
  readonly format: 'text' | 'json';
  /** Lines that are less important are left out. */
  readonly level: LogLevel;
}

export const isShown = (of: LogLevel, level: LogLevel): boolean => logLevels.indexOf(of) >= logLevels.indexOf(level);
