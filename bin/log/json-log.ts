/** A log for programs: one JSON object in each line. */
import { type DestinationStream, destination, pino, stdTimeFunctions } from 'pino';
import type { Log, LogLevel } from './log.js';
import { scrub, traceOf } from './scrub.js';

/** Lines are written at once, so that none is lost where the process ends. */
export function jsonLog(level: LogLevel, to: DestinationStream = destination({ fd: 2, sync: true })): Log {
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
