/** The gates of every release from 1.27 on, each with its stage in the release. */
import { memoizeByObject } from '../objects/memoize.js';
import { isReached, type Release } from '../objects/release.js';
import { gateHistories } from './gate-histories.js';
import { changesOf, type Gate, type GateHistory, states } from './gate-states.js';

/**
 * Gates of the machinery for custom resources, and of flags that only add. They are as in the latest release if none is
 * emulated. If the release of the kinds has a gate, the gate can be switched as in that release, even if a later
 * release removed or locked it.
 */
export const machineryGates: ReadonlySet<string> = new Set([
  'AdmissionWebhookMatchConditions',
  'AnonymousAuthConfigurableEndpoints',
  'AuthorizeWithSelectors',
  'CRDObservedGenerationTracking',
  'CRDValidationRatcheting',
  'CustomResourceFieldSelectors',
  'MutatingAdmissionPolicy',
  'StreamingCollectionEncodingToJSON',
  'StreamingCollectionEncodingToProtobuf',
  'StructuredAuthenticationConfiguration',
  'StructuredAuthorizationConfiguration',
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
  // A gate that was removed before keeps its last state.
  const later = gateIn(history, release.machinery) ?? lastOf(history);
  return usual && later ? { ...later, locked: usual.locked } : later;
}

function gateIn(history: GateHistory, release: string): Gate | undefined {
  const state = changesOf(history).findLast(([since]) => isReached(since, release))?.[1];
  return state === undefined || state === 'gone' ? undefined : states[state];
}

function lastOf(history: GateHistory): Gate | undefined {
  return changesOf(history)
    .flatMap(([, state]) => (state === 'gone' ? [] : states[state]))
    .at(-1);
}

/**
 * Returns whether a gate was on in its last state, if a release no longer knows it. Gates of later releases are off.
 */
export function endOf(gate: string, release: Release): boolean {
  const life = lifeOf(gate);
  return life?.gone !== undefined && isReached(life.gone, release.name) && life.atEnd.byDefault;
}

/** The releases that changed a gate, each with the state from then on. */
export interface GateLife {
  /** The first release with the gate, from 1.27 on. */
  readonly since: string;
  /** The first release without the gate. */
  readonly gone?: string;
  /** Its last state, or its state in the latest release. */
  readonly atEnd: Gate;
}

/** Returns the life of a gate; `undefined` if no release has it. */
export function lifeOf(gate: string): GateLife | undefined {
  if (!Object.hasOwn(gateHistories, gate)) return undefined;
  const history = gateHistories[gate] ?? {};
  const changes = changesOf(history);
  const since = changes[0]?.[0];
  const atEnd = lastOf(history);
  if (since === undefined || atEnd === undefined) return undefined;
  const gone = changes.find(([, state]) => state === 'gone')?.[0];
  return { since, atEnd, ...(gone === undefined ? {} : { gone }) };
}
