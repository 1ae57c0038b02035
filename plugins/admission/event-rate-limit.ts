/** EventRateLimit: limits how many events are written. */
import { LRUCache } from 'lru-cache';
import type {
  AdmissionAttributes,
  AdmissionPlugin,
  ConfigurationPath,
  RefuseConfiguration,
} from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { tokenBucket } from '../../runtime/objects/token-bucket.js';
import { checked, fields, list, oneOf, optional, whole } from './configuration.js';
import { defineAdmissionPlugin, handlesObjects } from './define-admission-plugin.js';

/** Creates the plugin. `now` is a monotonic clock in milliseconds. */
export function defineEventRateLimit(now?: () => number): AdmissionPlugin {
  let limiters: readonly Limiter[] = [];
  return defineAdmissionPlugin({
    name: 'EventRateLimit',
    configuration: {
      apiVersions: ['eventratelimit.admission.platform.io/v1alpha1'],
      kind: 'Configuration',
      schema: eventLimits,
      required: true,
    },
    start(_host, { limits }) {
      limiters = limits.map((limit) => limiterOf(limit, now));
    },
    handles: handlesObjects('', 'events', 'CREATE', 'UPDATE'),
    validate(attributes) {
      // A dry run stores nothing, so it does not count.
      if (attributes.dryRun) return undefined;
      // Every limit counts the event, even if another one refuses it.
      const reached = new Set(limiters.flatMap((limiter) => limiter(attributes) ?? []));
      if (reached.size === 0) return undefined;
      const why = [...reached].join(', ');
      return { reason: 'TooManyRequests', message: `Too many requests: ${reached.size > 1 ? `[${why}]` : why}` };
    },
  });
}

/** Counts an event, and returns the limit that it exceeds, if any. */
type Limiter = (attributes: AdmissionAttributes) => string | undefined;

/** The default number of keys that are counted at the same time. */
const usualCacheSize = 4096;

/**
 * Creates the limiter of one limit. If there are too many keys, it forgets the least recently used one, which then
 * starts with a full bucket again.
 */
function limiterOf({ type, qps, burst, cacheSize }: EventLimit, now?: () => number): Limiter {
  const max = type === 'Server' ? 1 : cacheSize || usualCacheSize;
  const buckets = new LRUCache<string, () => number>({ max });
  return (attributes) => {
    const key = keys[type](attributes);
    const bucket = buckets.get(key) ?? tokenBucket({ perSecond: qps, burst }, now);
    buckets.set(key, bucket);
    return bucket() === 0 ? undefined : `limit reached on type ${type} for key ${key}`;
  };
}

/** The key that each type counts by. */
const keys: Readonly<Record<LimitType, (attributes: AdmissionAttributes) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject({ object }) {
    const source = objectAt(object, 'source');
    const involved = objectAt(object, 'involvedObject');
    const writer = ['component', 'host'].map((field) => stringAt(source, field));
    const about = ['kind', 'namespace', 'name', 'uid', 'apiVersion'].map((field) => stringAt(involved, field));
    return [...writer, ...about].join('');
  },
};

/** The scope by which a limit counts. */
type LimitType = 'Server' | 'Namespace' | 'User' | 'SourceAndObject';

interface EventLimit {
  readonly type: LimitType;
  /** Events per second, in the long run. */
  readonly qps: number;
  /** The most events at once. */
  readonly burst: number;
  /** How many namespaces, users or sources are counted at the same time; 0 for the default. */
  readonly cacheSize: number;
}

const positive = whole({ least: 1, most: 2 ** 31 - 1 });

/** The most keys: the cache allocates memory for all of them at the start. */
const mostKeys = 1_000_000;

const limit = fields<EventLimit>({
  type: oneOf('Server', 'Namespace', 'User', 'SourceAndObject'),
  qps: positive,
  burst: positive,
  cacheSize: optional(whole({ least: 0, most: mostKeys }), 0),
});

const eventLimits = fields({ limits: checked(list(limit), checkNotEmpty) });

function checkNotEmpty(limits: readonly EventLimit[], path: ConfigurationPath, refuse: RefuseConfiguration): void {
  if (limits.length === 0) refuse(path, 'must not be empty');
}
