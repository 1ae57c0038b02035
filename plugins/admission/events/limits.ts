/** The limits of how many events are written, as the plugin's configuration has them. */
import type { ConfigurationPath, RefuseConfiguration } from '../../../runtime/contract/index.js';
import { checked, fields, list, oneOf, optional, whole } from '../configuration/schema.js';

/** The part of a request that a limit counts by. */
export type LimitType = 'Server' | 'Namespace' | 'User' | 'SourceAndObject';

/** One limit. */
export interface EventLimit {
  readonly type: LimitType;
  /** Events per second, in the long run. */
  readonly qps: number;
  /** Events at once. */
  readonly burst: number;
  /** Namespaces, users or sources that are counted at the same time; 0 for the usual number. */
  readonly cacheSize: number;
}

const positive = whole({ least: 1, most: 2 ** 31 - 1 });

/** Room for keys is made at the start. */
const mostKeys = 1_000_000;

const limit = fields<EventLimit>({
  type: oneOf('Server', 'Namespace', 'User', 'SourceAndObject'),
  qps: positive,
  burst: positive,
  cacheSize: optional(whole({ least: 0, most: mostKeys }), 0),
});

export const eventLimits = fields({ limits: checked(list(limit), checkNotEmpty) });

function checkNotEmpty(limits: readonly EventLimit[], path: ConfigurationPath, refuse: RefuseConfiguration): void {
  if (limits.length === 0) refuse(path, 'must not be empty');
}
