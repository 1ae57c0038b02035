/** Feature gates: what is on by default, what can be said of them, and what is refused. */
import { describe, expect, it } from 'vitest';
import { enabledByDefault, knownGates, readFeatureGates } from '../../../../runtime/server/feature-gates.js';

function enabledBy(text: string): (gate: string) => boolean {
  const gates = readFeatureGates(text);
  if (!gates.ok) throw new Error(gates.failure.message);
  return gates.value;
}

describe('feature gates', () => {
  it.each(Object.entries(knownGates))('%s is %s, which says whether it is on by default', (gate, stage) => {
    expect(enabledBy('')(gate)).toBe(stage !== 'alpha');
    expect(enabledByDefault(gate)).toBe(stage !== 'alpha');
  });

  it('can be turned on and off, the last word counts', () => {
    const enabled = enabledBy(' WatchList=true , APIListChunking=false,,ServerSideApply=true ');
    expect([enabled('WatchList'), enabled('APIListChunking'), enabled('ServerSideApply')]).toEqual([true, false, true]);
    expect(enabledBy('WatchList=true,WatchList=false')('WatchList')).toBe(false);
  });

  it('are off when nobody knows them', () => {
    for (const gate of ['Other', 'constructor', '__proto__', '']) expect(enabledBy('')(gate)).toBe(false);
  });

  it.each([
    ['Other=true', /^unrecognized feature gate: Other; known are .*WatchList/],
    ['__proto__=true', /^unrecognized feature gate: __proto__/],
    ['=true', /^unrecognized feature gate: /],
    ['WatchList', /^invalid value of feature gate WatchList: ""; say WatchList=true or WatchList=false$/],
    ['WatchList=yes', /^invalid value of feature gate WatchList: "yes"/],
    ['ServerSideApply=false', /^cannot set feature gate ServerSideApply to false, feature is locked to true$/],
  ])('cannot be set by %j', (text, message) => {
    const gates = readFeatureGates(text);
    expect(gates.ok ? '' : gates.failure.message).toMatch(message);
  });
});
