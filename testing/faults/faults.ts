/** The faults of a test server: scripts of failing requests. A recording of them can be replayed. */
import { randomInt } from 'node:crypto';
import type { Clock } from '../../runtime/contract/index.js';
import {
  type ApiRequest,
  type ApiResponse,
  type AskedThing,
  askedThing,
  type Door,
  type Handle,
} from '../../runtime/server/index.js';
import { checkRule } from './check-rule.js';
import { type FaultRecording, kindOfRequest, type RecordedFault } from './recording.js';
import type { Fault, FaultRule, FaultSelector } from './rule.js';
import { brokenAnswer, statusAnswer } from './status-answer.js';
import { faultyWatch } from './watch-stream.js';

/** Lets requests fail by rules. Requests of the server itself, and of its built-in controllers, never fail. */
export interface Faults {
  /** The seed of probabilities. The same seed decides the same for the same requests. */
  readonly seed: number;
  /** The faults that requests have hit, in order. Tests can store it as JSON, and replay it. */
  readonly recording: FaultRecording;
  /** Adds a rule. The first rule that matches a request decides. The returned function removes the rule. */
  add(rule: FaultRule): () => void;
  /**
   * Lets exactly the requests of a recording fail, even if they come in another order. Counts requests from now on. The
   * recording has counted them from the start, or from the last `clear` or reset.
   */
  replay(recording: FaultRecording): void;
  /** Removes all rules, the recording and the counts. */
  clear(): void;
}

/** The faults, with the functions that only the test server uses. */
export interface OwnFaults {
  readonly faults: Faults;
  readonly door: Door;
  /** Restores the first state. Slow answers in flight break off, without executing their requests. */
  restart(): void;
  /** Breaks off slow answers in flight. */
  breakOff(): void;
}

/** A rule, and the number of requests that it has matched. */
interface Counted {
  readonly rule: FaultRule;
  seen: number;
}

export function defineFaults(clock: Clock, given: { readonly seed: number } | FaultRecording = madeUp()): OwnFaults {
  const { seed } = given;
  const waits = defineWaits(clock);
  let rules: Counted[] = [];
  let replayed: ReadonlyMap<string, Fault> | undefined;
  let recorded: RecordedFault[] = [];
  /** The number of times that each request has come, even before there are rules, so that a replay counts the same. */
  let occurrences = new Map<string, number>();

  const faultOf = (request: ApiRequest, asked: AskedThing, kind: string, occurrence: number): Fault | undefined => {
    if (replayed) return replayed.get(`${kind} ${occurrence}`);
    for (const [index, counted] of rules.entries()) {
      if ('watch' in counted.rule.fault && asked.verb !== 'watch') continue;
      if (!isAbout(counted.rule, asked, request)) continue;
      counted.seen++;
      const chance = (): number => chanceOf(seed, `${index} ${kind} ${occurrence}`);
      if (isHit(counted.rule, counted.seen, chance)) return counted.rule.fault;
    }
    return undefined;
  };

  const door: Door = (request, next) => {
    const asked = askedThing(request);
    const kind = kindOfRequest(asked);
    const occurrence = (occurrences.get(kind) ?? 0) + 1;
    occurrences.set(kind, occurrence);
    const fault = faultOf(request, asked, kind, occurrence);
    if (!fault) return next(request);
    const { version: _version, ...thing } = asked;
    recorded.push({ ...thing, occurrence, fault });
    return suffer(fault, { request, next, asked, waits });
  };

  const faults: Faults = {
    seed,
    get recording() {
      return { seed, faults: [...recorded] };
    },
    add(rule) {
      checkRule(rule);
      const counted = { rule, seen: 0 };
      rules = [...rules, counted];
      return () => {
        rules = rules.filter((one) => one !== counted);
      };
    },
    replay(recording) {
      occurrences = new Map();
      recorded = [];
      replayed = new Map(recording.faults.map((one) => [`${kindOfRequest(one)} ${one.occurrence}`, one.fault]));
    },
    clear() {
      rules = [];
      replayed = undefined;
      recorded = [];
      occurrences = new Map();
    },
  };
  return {
    faults,
    door,
    breakOff: () => waits.breakOff(),
    restart() {
      waits.breakOff();
      faults.clear();
      if ('faults' in given) faults.replay(given);
    },
  };
}

const madeUp = (): { readonly seed: number } => ({ seed: randomInt(2 ** 31) });

function isAbout(
  { verb, resource, namespace, name, userAgent }: FaultSelector,
  asked: AskedThing,
  request: ApiRequest,
): boolean {
  if (verb !== undefined && !(typeof verb === 'string' ? verb === asked.verb : verb.includes(asked.verb))) return false;
  if (resource !== undefined && !isNamed(resource, asked)) return false;
  if (namespace !== undefined && namespace !== asked.namespace) return false;
  if (name !== undefined && name !== asked.name) return false;
  return userAgent === undefined || String(request.headers['user-agent'] ?? '').startsWith(userAgent);
}

/**
 * Returns whether a name means a resource. A name with a subresource means only this subresource; a name without one,
 * only the resource itself.
 */
function isNamed(named: string, { group, resource, subresource }: AskedThing): boolean {
  const [of = '', part = ''] = named.split('/', 2);
  return part === subresource && (of === resource || of === `${resource}.${group}`);
}

function isHit({ times, nth, probability }: FaultRule, seen: number, chance: () => number): boolean {
  if (times !== undefined && seen > times) return false;
  if (nth !== undefined && !(typeof nth === 'number' ? nth === seen : nth.includes(seen))) return false;
  return probability === undefined || chance() < probability;
}

interface Suffering {
  readonly request: ApiRequest;
  readonly next: Handle;
  readonly asked: AskedThing;
  readonly waits: Waits;
}

async function suffer(fault: Fault, { request, next, asked, waits }: Suffering): Promise<ApiResponse> {
  if ('slowMs' in fault) {
    return (await waits.wait(fault.slowMs)) ? next(request) : brokenAnswer();
  }
  if ('watch' in fault) return faultyWatch(await next(request), fault, asked);
  if (fault.applied) abandon(await next(request));
  return 'status' in fault ? statusAnswer(fault, asked) : brokenAnswer();
}

/** Ends an answer that nobody reads. */
function abandon({ body }: ApiResponse): void {
  if (!(body instanceof Uint8Array) && 'stream' in body) body.abandoned?.();
}

/** Returns a number from 0 to below 1, from a seed and a text. */
function chanceOf(seed: number, text: string): number {
  // FNV-1a, and the last steps of MurmurHash3, so that similar texts give very different numbers.
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

interface Waits {
  /** Resolves to `true` after milliseconds of the clock, or to `false` if the wait breaks off. */
  wait(ms: number): Promise<boolean>;
  /** Ends all waits. */
  breakOff(): void;
}

function defineWaits(clock: Clock): Waits {
  const ends = new Set<(isOver: boolean) => void>();
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const end = (isOver: boolean): void => {
          cancel();
          ends.delete(end);
          resolve(isOver);
        };
        const cancel = clock.after(ms, () => end(true));
        ends.add(end);
      }),
    breakOff() {
      for (const end of ends) end(false);
    },
  };
}
