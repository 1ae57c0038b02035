/** Feature gates: which optional parts of the API are on. */
import type { ResourceModule, Result } from '../contract/index.js';
import { memoize } from '../objects/memoize.js';
import { emulate, isReached, type Release } from '../objects/release.js';
import { listMembers } from '../objects/scan/media-types.js';
import { badRequest } from '../objects/status.js';
import { didYouMean } from '../objects/suggest.js';
import type { Gate, GateStage } from './gate-states.js';
import { endOf, gatesIn, lifeOf } from './known-gates.js';

/** Gates as they are set. */
export interface FeatureGates {
  readonly enabled: (gate: string) => boolean;
  /** Notices for the user who set them: gates without effect, and deprecated gates. */
  readonly notices: readonly string[];
}

/** Gates that set all gates of a stage. A gate's own setting overrides them. */
const stageGates: ReadonlyMap<string, GateStage> = new Map([
  ['AllAlpha', 'alpha'],
  ['AllBeta', 'beta'],
]);

/** A gate that only definitions name is off until it is set. */
const gateOfDefinition: Gate = { stage: 'alpha', byDefault: false, locked: false };

/** Returns whether a release has a gate, or a gate for all gates of a stage. Does not know gates of definitions. */
export const isFeatureGate = (gate: string, release: Release = emulate()): boolean =>
  stageGates.has(gate) || gatesIn(release).has(gate);

/** Returns whether a gate is on by default. */
export const enabledByDefault = (gate: string, release: Release = emulate()): boolean =>
  gatesIn(release).get(gate)?.byDefault ?? endOf(gate, release);

/**
 * Reads `A=true,B=false`. Refuses unknown gates by name, and settings that turn off a locked gate. `namedByDefinitions`
 * yields the gates that definitions name. It is called only for a gate that is not known.
 */
export function readFeatureGates(
  text: string,
  namedByDefinitions: () => ReadonlySet<string> = () => new Set(),
  release: Release = emulate(),
): Result<FeatureGates> {
  const known = gatesIn(release);
  const set = new Map<string, boolean>();
  const notices: string[] = [];
  for (const part of listMembers(text)) {
    if (part === '') continue;
    const { key: gate, value, written } = parseSetting(part);
    const meant = known.get(gate) ?? gateIn(namedByDefinitions(), gate);
    if (meant === undefined && !stageGates.has(gate))
      return refuse(unrecognized(gate, [...known.keys(), ...stageGates.keys(), ...namedByDefinitions()], release));
    if (value === undefined)
      return refuse(
        `invalid value of feature gate ${gate}: ${JSON.stringify(written ?? '')}; use ${gate}=true or ${gate}=false`,
      );
    if (meant?.locked && value !== meant.byDefault)
      return refuse(`cannot set feature gate ${gate} to ${value}, feature is locked to ${meant.byDefault}`);
    if (meant !== undefined) notices.push(...noticesOf(gate, meant));
    set.set(gate, value);
  }
  // Remembered, because writes ask about the same few gates again and again.
  const enabled = memoize((gate) => {
    const meant = known.get(gate);
    return set.get(gate) ?? (meant === undefined && endOf(gate, release) ? true : byStage(set, meant));
  });
  return { ok: true, value: { enabled, notices } };
}

function noticesOf(gate: string, { stage, locked }: Gate): readonly string[] {
  if (stage === 'ga' && locked) return [`feature gate ${gate} is always on and will be removed; leave it out`];
  if (stage === 'ga') return [`feature gate ${gate} is GA and will be removed; leave it out`];
  return stage === 'deprecated' ? [`feature gate ${gate} is deprecated and will be removed`] : [];
}

const gateIn = (named: ReadonlySet<string>, gate: string): Gate | undefined =>
  named.has(gate) ? gateOfDefinition : undefined;

/** Returns the value that the gates of stages give a gate, or its default. */
function byStage(set: ReadonlyMap<string, boolean>, gate: Gate = gateOfDefinition): boolean {
  const { stage, byDefault } = gate;
  if (stage === 'alpha') return set.get('AllAlpha') ?? byDefault;
  return stage === 'beta' ? (set.get('AllBeta') ?? byDefault) : byDefault;
}

function unrecognized(gate: string, all: readonly string[], release: Release): string {
  const suggestion = inOtherReleases(gate, release) ?? didYouMean(gate, all) ?? 'docs/feature-gates.md lists them';
  return `unrecognized feature gate: ${gate === '' ? '(nothing)' : gate}; ${suggestion}`;
}

/** Returns in words when another release added or removed a gate; `undefined` if no release has it. */
function inOtherReleases(gate: string, { name }: Release): string | undefined {
  const { since, gone } = lifeOf(gate) ?? {};
  if (since === undefined) return undefined;
  if (isReached(gone, name)) return `release ${gone} removed it, and the server has release ${name}`;
  return `release ${since} added it, and the server has release ${name}; the emulated version selects the release`;
}

const refuse = (message: string): { readonly ok: false; readonly failure: ReturnType<typeof badRequest> } => ({
  ok: false,
  failure: badRequest(message),
});

/** Returns all gates that these modules name. */
export const gatesOf = (modules: readonly ResourceModule[]): ReadonlySet<string> =>
  new Set(
    modules.flatMap(({ featureGate, fieldGates = [] }) =>
      featureGate === undefined ? fieldGates : [featureGate, ...fieldGates],
    ),
  );

/** A setting as it is written. */
interface BooleanSetting {
  readonly key: string;
  /** Absent if the setting has no value, or a value other than true or false. */
  readonly value: boolean | undefined;
  /** The text after the first `=`; absent without it. */
  readonly written: string | undefined;
}

/** Splits a setting into key and value. Ignores blanks around both, and the case of the value. */
export function parseSetting(text: string): BooleanSetting {
  const at = text.indexOf('=');
  if (at < 0) return { key: text.trim(), value: undefined, written: undefined };
  const written = text.slice(at + 1).trim();
  return { key: text.slice(0, at).trim(), value: readBoolean(written), written };
}

function readBoolean(text: string): boolean | undefined {
  if (/^(?:true|True|TRUE|t|T|1)$/.test(text)) return true;
  return /^(?:false|False|FALSE|f|F|0)$/.test(text) ? false : undefined;
}

/** Returns the stages of all gates. Gates that only definitions name are alpha. */
export const gateStages = (
  modules: readonly ResourceModule[],
  release: Release = emulate(),
): ReadonlyMap<string, GateStage> =>
  new Map([
    ...[...gatesOf(modules)].map((gate): [string, GateStage] => [gate, 'alpha']),
    ...[...gatesIn(release)].map(([gate, { stage }]): [string, GateStage] => [gate, stage]),
  ]);
