/** Refuses rules of faults that could never have an effect. */
import type { Fault, FaultRule } from './rule.js';

const statuses: readonly unknown[] = [409, 410, 429, 500, 503, 504];
const watchFates: readonly unknown[] = ['drop', 'half-open', 'no-bookmarks', 'expire'];
/** The verbs of resources, and of other paths: these are HTTP methods. */
const verbs: readonly unknown[] = [
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  ...['head', 'options', 'post', 'put'],
];
const ruleKeys = ['verb', 'resource', 'namespace', 'name', 'userAgent', 'times', 'nth', 'probability', 'fault'];

/** The keys of each fault, by the key that identifies the fault. */
const faultKeys = {
  status: ['message', 'retryAfterSeconds', 'applied'],
  slowMs: [],
  dropped: ['applied'],
  watch: ['afterEvents'],
} as const;

/**
 * Checks a rule. Throws a `TypeError` for a key or value that is not valid, and a `RangeError` for a number out of
 * range.
 */
export function checkRule(rule: FaultRule): void {
  onlyKeys('a rule', rule, ruleKeys);
  if (typeof rule.fault !== 'object' || rule.fault === null) {
    throw new TypeError('a rule needs a fault, as in { verb: "get", fault: { status: 500 } }');
  }
  const given = listOf(rule.verb);
  for (const verb of given) oneOf('verb', verb, verbs);
  checkFault(rule.fault);
  if ('watch' in rule.fault && given.some((verb) => verb !== 'watch')) {
    throw new TypeError(`the fault ${rule.fault.watch} is about watches, and the rule about ${given.join(', ')}`);
  }
  inRange('times', rule.times, 1, 'whole');
  for (const nth of listOf(rule.nth)) inRange('nth', nth, 1, 'whole');
  const { probability = 1 } = rule;
  if (!(probability >= 0 && probability <= 1)) throw new RangeError(`probability ${probability}: must be from 0 to 1`);
}

function checkFault(fault: Fault): void {
  const kinds = Object.entries(faultKeys).filter(([key]) => key in fault);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    throw new TypeError(`a fault must be one of ${Object.keys(faultKeys).join(', ')}, not ${JSON.stringify(fault)}`);
  }
  onlyKeys('this fault', fault, [kind[0], ...kind[1]]);
  if ('status' in fault) {
    oneOf('status', fault.status, statuses);
    inRange('retryAfterSeconds', fault.retryAfterSeconds, 0);
  } else if ('slowMs' in fault) inRange('slowMs', fault.slowMs, 0);
  else if ('watch' in fault) {
    oneOf('watch', fault.watch, watchFates);
    inRange('afterEvents', fault.afterEvents, 0, 'whole');
  } else if (fault.dropped !== true) throw new TypeError(`dropped ${fault.dropped}: must be true`);
}

const listOf = <T extends string | number>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : typeof value === 'object' ? value : [value];

function onlyKeys(what: string, value: object, keys: readonly string[]): void {
  const other = Object.keys(value).find((key) => !keys.includes(key));
  if (other !== undefined) throw new TypeError(`${what} has no ${other}; it has ${keys.join(', ')}`);
}

function oneOf(key: string, value: unknown, known: readonly unknown[]): void {
  if (known.includes(value)) return;
  const hint = value === 'apply' ? '; an apply is a patch' : '';
  throw new TypeError(`${key} ${JSON.stringify(value)} is unknown; use ${known.join(', ')}${hint}`);
}

function inRange(key: string, value: number | undefined, least: number, whole?: 'whole'): void {
  if (value === undefined || (Number.isFinite(value) && value >= least && (!whole || Number.isInteger(value)))) return;
  throw new RangeError(`${key} ${JSON.stringify(value)}: must be a ${whole ?? 'finite'} number from ${least}`);
}
