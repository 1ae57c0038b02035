/** A log for people: lines that begin with `kindforge:`. */
import { isShown, type Log, type LogLevel } from './log.js';
import { scrub, traceOf } from './scrub.js';

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

/** Users choose their names; those with anything unusual in them are quoted, so that each line stays one. */
const quoted = (user: string): string => {
  if (user === '') return '-';
  return /^[\w.:@/+-]+$/.test(user) ? user : JSON.stringify(user);
};
