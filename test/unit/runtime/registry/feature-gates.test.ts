/** Feature gates: their defaults, their settings, and refused settings. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type EmulatedVersion, emulate } from '../../../../runtime/objects/release.js';
import { enabledByDefault, gateStages, gatesOf, readFeatureGates } from '../../../../runtime/registry/feature-gates.js';
import { gatesIn, machineryGates } from '../../../../runtime/registry/known-gates.js';
import { moduleOf } from '../../../support/modules.js';
import { hasShared, shared } from '../../../support/shared.js';

const read = (text: string, named: readonly string[] = [], release: EmulatedVersion | undefined = '1.27') =>
  readFeatureGates(text, () => new Set(named), emulate(release));

function enabledBy(text: string, named: readonly string[] = []): (gate: string) => boolean {
  const gates = read(text, named);
  if (!gates.ok) throw new Error(gates.failure.message);
  return gates.value.enabled;
}

const gatesOfStage = (stage: string) => [...gatesIn(emulate('1.27'))].filter(([, gate]) => gate.stage === stage);

describe('feature gates', () => {
  it.each([...gatesIn(emulate('1.27'))])('%s has the default of its row', (gate, { byDefault }) => {
    expect(enabledBy('')(gate)).toBe(byDefault);
    expect(enabledByDefault(gate, emulate('1.27'))).toBe(byDefault);
  });

  it('are off in alpha and on in beta, except a few', () => {
    const unusual = [...gatesIn(emulate('1.27'))].filter(
      ([, { stage, byDefault }]) => byDefault === (stage === 'alpha'),
    );
    expect(unusual.map(([gate]) => gate)).toEqual([
      'CSIMigrationPortworx',
      'ExperimentalHostUserNamespaceDefaulting',
      'TopologyManagerPolicyBetaOptions',
      'UnauthenticatedHTTP2DOSMitigation',
      'WindowsHostNetwork',
    ]);
  });

  it('can be turned on and off, the last setting counts', () => {
    const enabled = enabledBy(' WatchList=true , APIListChunking=False,,ServerSideApply=1 ');
    expect([enabled('WatchList'), enabled('APIListChunking'), enabled('ServerSideApply')]).toEqual([true, false, true]);
    expect(enabledBy('WatchList=true,WatchList=false')('WatchList')).toBe(false);
  });

  it('are off if they are unknown', () => {
    for (const gate of ['Other', 'constructor', '__proto__', '']) expect(enabledBy('')(gate)).toBe(false);
  });

  it('of a whole stage never override the setting of a single gate, in any order', () => {
    const enabled = enabledBy('WatchList=false,AllAlpha=true,AllBeta=false,OpenAPIEnums=true');
    for (const [gate] of gatesOfStage('alpha')) expect([gate, enabled(gate)]).toEqual([gate, gate !== 'WatchList']);
    for (const [gate] of gatesOfStage('beta')) expect([gate, enabled(gate)]).toEqual([gate, gate === 'OpenAPIEnums']);
    for (const [gate] of gatesOfStage('ga')) expect([gate, enabled(gate)]).toEqual([gate, true]);
  });

  it('that only definitions name are alpha', () => {
    expect(enabledBy('', ['Own'])('Own')).toBe(false);
    expect(enabledBy('Own=true', ['Own'])('Own')).toBe(true);
    expect(enabledBy('AllAlpha=true', ['Own'])('Own')).toBe(true);
    expect(read('Own=true').ok).toBe(false);
  });

  it('that no longer have an effect cause a notice', () => {
    const gates = read('WatchList=true,ServerSideApply=true');
    expect(gates.ok && gates.value.notices).toEqual([
      'feature gate ServerSideApply is always on and will be removed; leave it out',
    ]);
  });

  it.each([
    ['Other=true', 'unrecognized feature gate: Other; docs/feature-gates.md lists them'],
    ['WatchLists=true', 'unrecognized feature gate: WatchLists; did you mean `WatchList`?'],
    ['AllAlfa=true', 'unrecognized feature gate: AllAlfa; did you mean `AllAlpha`?'],
    ['__proto__=true', 'unrecognized feature gate: __proto__; docs/feature-gates.md lists them'],
    ['=true', 'unrecognized feature gate: (nothing); docs/feature-gates.md lists them'],
    ['WatchList', 'invalid value of feature gate WatchList: ""; use WatchList=true or WatchList=false'],
    ['WatchList=yes', 'invalid value of feature gate WatchList: "yes"; use WatchList=true or WatchList=false'],
    ['WatchList=a=b', 'invalid value of feature gate WatchList: "a=b"; use WatchList=true or WatchList=false'],
    ['ServerSideApply=false', 'cannot set feature gate ServerSideApply to false, feature is locked to true'],
  ])('cannot be set by %j', (text, message) => {
    const gates = read(text);
    expect(gates.ok || gates.failure.message).toBe(message);
  });

  it.each<[EmulatedVersion, string, string]>([
    [
      '1.27',
      'DRAAdminAccess=true',
      'unrecognized feature gate: DRAAdminAccess; release 1.32 added it, and the server has release 1.27; the emulated version selects the release',
    ],
    [
      'latest',
      'ServerSideApply=true',
      'unrecognized feature gate: ServerSideApply; release 1.32 removed it, and the server has release 1.36',
    ],
    [
      'latest',
      'CRDValidationRatcheting=false',
      'cannot set feature gate CRDValidationRatcheting to false, feature is locked to true',
    ],
  ])('of %s cannot be set by %j', (release, text, message) => {
    const gates = read(text, [], release);
    expect(gates.ok || gates.failure.message).toBe(message);
  });

  it('that are deprecated can be set, with a notice', () => {
    const gates = read('KMSv1=true,DRAPrioritizedList=false', [], 'latest');
    expect(gates.ok && [gates.value.enabled('KMSv1'), gates.value.enabled('DRAPrioritizedList')]).toEqual([
      true,
      false,
    ]);
    expect(gates.ok && gates.value.notices).toEqual([
      'feature gate KMSv1 is deprecated and will be removed',
      'feature gate DRAPrioritizedList is GA and will be removed; leave it out',
    ]);
  });

  it('have the stages of the release', () => {
    const stageOf = (gate: string, release: EmulatedVersion) => gateStages([], emulate(release)).get(gate);
    expect([stageOf('WatchList', '1.27'), stageOf('WatchList', 'latest')]).toEqual(['alpha', 'beta']);
    expect([stageOf('ServerSideApply', '1.27'), stageOf('ServerSideApply', 'latest')]).toEqual(['ga', undefined]);
  });

  it('that were removed keep their last value', () => {
    expect(enabledByDefault('ServerSideApply', emulate('latest'))).toBe(true);
    expect(enabledByDefault('SecurityContextDeny', emulate('latest'))).toBe(false);
    expect(enabledByDefault('StructuredAuthorizationConfiguration', emulate('1.27'))).toBe(false);
  });

  it('that definitions name are suggested too', () => {
    const gates = read('MyGatt=true', ['MyGate']);
    expect(gates.ok || gates.failure.message).toBe('unrecognized feature gate: MyGatt; did you mean `MyGate`?');
  });
});

describe('feature gates of the machinery, if no release is emulated', () => {
  const none = emulate();

  it('have the values of the latest release, while all others have the values of the specified one', () => {
    const differs = [...gatesIn(none).keys()].filter(
      (gate) => enabledByDefault(gate, none) !== enabledByDefault(gate, emulate('1.27')),
    );
    expect(differs.sort()).toEqual([...machineryGates].sort());
    for (const gate of machineryGates) expect([gate, enabledByDefault(gate, none)]).toEqual([gate, true]);
    expect(read('DRAAdminAccess=true', [], undefined).ok).toBe(false);
  });

  it('can be switched off if the specified release has them, even if they are gone later', () => {
    const gates = readFeatureGates('ValidatingAdmissionPolicy=false,WatchList=false', undefined, none);
    expect(gates.ok && [gates.value.enabled('ValidatingAdmissionPolicy'), gates.value.enabled('WatchList')]).toEqual([
      false,
      false,
    ]);
    expect(readFeatureGates('CRDValidationRatcheting=false', undefined, none).ok).toBe(false);
  });
});

describe.skipIf(!hasShared)('the gates of 1.36 (needs ../shared)', () => {
  it('have the stages and defaults of the reference', () => {
    const facts: { readonly gates: Readonly<Record<string, { readonly on: boolean; readonly stage: string }>> } =
      JSON.parse(readFileSync(shared('reference/default-1.36.json'), 'utf8'));
    const { AllAlpha, AllBeta, ...wanted } = facts.gates;
    expect([AllAlpha?.on, AllBeta?.on]).toEqual([false, false]);
    const known = [...gatesIn(emulate('latest'))].map(([gate, { stage, byDefault }]) => [
      gate,
      { on: byDefault, stage: stage.toUpperCase() },
    ]);
    expect(Object.fromEntries(known)).toEqual(wanted);
  });
});

it('belong to kinds and to fields', () => {
  const modules = [
    moduleOf('', 'a', 'A', { fieldGates: ['OfField', 'OfOther'] }),
    moduleOf('', 'b', 'B', { featureGate: 'OfKind' }),
  ];
  expect([...gatesOf(modules)].sort()).toEqual(['OfField', 'OfKind', 'OfOther']);
});
