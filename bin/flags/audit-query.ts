/** Reads the flags of `kindforge audit query`. */
import { parseDuration } from '../../runtime/objects/scan/duration.js';
import { parseFieldPath } from '../../server/maintenance/field-changes.js';
import type { LogQuery } from '../../server/maintenance/query-log.js';
import { FlagError } from './flag.js';

export interface AuditQueryFlags {
  readonly log: readonly string[];
  readonly user?: string;
  readonly verb?: string;
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly since?: string;
  readonly until?: string;
  readonly field?: string;
  readonly output: string;
}

/**
 * Reads the flags. Throws a `FlagError` that names the wrong flag and the rule. `now` is in milliseconds since 1970.
 */
export function readAuditQuery(flags: AuditQueryFlags, now: number): LogQuery {
  const { log, user, verb, resource, namespace, name, field } = flags;
  if (field !== undefined && (resource === undefined || name === undefined)) {
    throw new FlagError('--field needs --resource and --name, which name the object');
  }
  const path = field === undefined ? undefined : parseFieldPath(field);
  if (field !== undefined && !path) {
    throw new FlagError(`--field ${field} is not the path of a field; use one such as spec.replicas or data['a.b']`);
  }
  const [since, until] = [readTime('--since', flags.since, now), readTime('--until', flags.until, now)];
  return {
    logs: log,
    format: flags.output === 'json' ? 'json' : 'table',
    ...(path ? { field: path } : {}),
    filter: {
      ...(user === undefined ? {} : { user }),
      ...(verb === undefined ? {} : { verbs: verb.split(',').map((one) => one.trim()) }),
      ...(resource === undefined ? {} : { resource }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(name === undefined ? {} : { name }),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
    },
  };
}

/** Reads a time, or a duration before now. */
function readTime(flag: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const ago = parseDuration(text);
  if (ago !== undefined) return now - Number(ago / 1_000_000n);
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new FlagError(`${flag} ${text}: must be a time, such as 2026-01-31T12:00:00Z, or 2h for two hours ago`);
}
