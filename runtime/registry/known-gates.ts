/** The gates of every release from 1.27 on, each with its stage there. */
import { memoizeByObject } from '../objects/memoize.js';
import { isReached, type Release } from '../objects/release.js';
import { gateHistories } from './gate-histories.js';

/** A gate's stage in the life cycle: alpha is off as a rule, beta is on, and GA has nothing left to switch. */
export type GateStage = 'alpha' | 'beta' | 'ga' | 'deprecated';

/** One gate, in one release. */
export interface Gate {
  readonly stage: GateStage;
  readonly byDefault: boolean;
  /** Whether it can no longer be switched. */
  readonly locked: boolean;
}

/** What a row says of a release: a stage with its usual default, or with the other one; `gone` if flags refuse it. */
export type GateState = keyof typeof states | 'gone';

const states = {
  alpha: { stage: 'alpha', byDefault: false, locked: false },
  alphaOn: { stage: 'alpha', byDefault: true, locked: false },
  beta: { stage: 'beta', byDefault: true, locked: false },
  betaOff: { stage: 'beta', byDefault: false, locked: false },
  ga: { stage: 'ga', byDefault: true, locked: true },
  gaOpen: { stage: 'ga', byDefault: true, locked: false },
  deprecated: { stage: 'deprecated', byDefault: false, locked: false },
  deprecatedLocked: { stage: 'deprecated', byDefault: false, locked: true },
  deprecatedOn: { stage: 'deprecated', byDefault: true, locked: false },
  deprecatedOnLocked: { stage: 'deprecated', byDefault: true, locked: true },
} as const satisfies Readonly<Record<string, Gate>>;

/** The states of a gate by the release that each begins in, in order. */
export type GateHistory = Readonly<Record<string, GateState>>;

/**
 * Gates of the machinery for custom resources. They are those of the latest release if none is emulated. A gate that
 * the release of the kinds knows, too, can be switched as it can there, even if it is gone or locked later.
 */
export const machineryGates: ReadonlySet<string> = new Set([
  'AdmissionWebhookMatchConditions',
  'AuthorizeWithSelectors',
  'CRDObservedGenerationTracking',
  'CRDValidationRatcheting',
  'CustomResourceFieldSelectors',
  'MutatingAdmissionPolicy',
  'StreamingCollectionEncodingToJSON',
  'StreamingCollectionEncodingToProtobuf',
  'ValidatingAdmissionPolicy',
  'WatchList',
]);

/** Returns the gates that a release knows, by name. */
export const gatesIn = memoizeByObject((release: Release): ReadonlyMap<string, Gate> => {
  const known = new Map<string, Gate>();
  for (const [name, history] of Object.entries(gateHistories)) {
    const gate = gateOf(name, history, release);
    if (gate !== undefined) known.set(name, gate);
  }
  return known;
});

function gateOf(name: string, history: GateHistory, release: Release): Gate | undefined {
  const usual = gateIn(history, release.name);
  if (!machineryGates.has(name) || release.machinery === release.name) return usual;
  const later = gateIn(history, release.machinery);
  if (usual === undefined) return later;
  return { ...(later ?? lastOf(history) ?? usual), locked: usual.locked };
}

function gateIn(history: GateHistory, release: string): Gate | undefined {
  const state = Object.entries(history).findLast(([since]) => isReached(since, release))?.[1];
  return state === undefined || state === 'gone' ? undefined : states[state];
}

function lastOf(history: GateHistory): Gate | undefined {
  return Object.values(history)
    .flatMap((state) => (state === 'gone' ? [] : states[state]))
    .at(-1);
}

/** Returns whether a gate that a release no longer knows was on at its end. Gates that are still to come are off. */
export function endOf(gate: string, release: Release): boolean {
  const life = lifeOf(gate);
  return life?.gone !== undefined && isReached(life.gone, release.name) && life.atEnd.byDefault;
}

/** The life of a gate. */
export interface GateLife {
  /** The first release with it, from 1.27 on. */
  readonly since: string;
  /** The first release without it. */
  readonly gone?: string;
  /** Its state at its end, or in the latest release. */
  readonly atEnd: Gate;
}

/** Returns the life of a gate; `undefined` if no release has it. */
export function lifeOf(gate: string): GateLife | undefined {
  if (!Object.hasOwn(gateHistories, gate)) return undefined;
  const history = gateHistories[gate] ?? {};
  const [since] = Object.keys(history);
  const atEnd = lastOf(history);
  if (since === undefined || atEnd === undefined) return undefined;
  const gone = Object.entries(history).find(([, state]) => state === 'gone')?.[0];
  return { since, atEnd, ...(gone === undefined ? {} : { gone }) };
}
