import { describe, expect, it } from 'vitest';
import { defineRuntimeClass } from '../../../../plugins/index.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { contextOf, object } from './attributes.js';
import { writePod } from './pods.js';

const plugin = defineRuntimeClass(kubernetesNaming);
const exists = { key: 'vm', operator: 'Exists' };
const context = contextOf({
  'node.k8s.io/runtimeclasses//heavy': object({ overhead: { podFixed: { cpu: '250m', memory: '120Mi' } } }),
  'node.k8s.io/runtimeclasses//light': object(),
  'node.k8s.io/runtimeclasses//picky': object({
    scheduling: { nodeSelector: { vm: 'yes' }, tolerations: [exists] },
  }),
});

const named = (runtimeClassName: string, more: JsonObject = {}): JsonObject => ({ runtimeClassName, ...more });

describe('a pod', () => {
  it.each<[JsonObject, JsonObject]>([
    [{}, {}],
    [named('light'), {}],
    [named('heavy'), { overhead: { cpu: '250m', memory: '120Mi' } }],
    [named('picky'), { nodeSelector: { vm: 'yes' }, tolerations: [exists] }],
    [
      named('picky', { nodeSelector: { a: 'b', vm: 'yes' }, tolerations: [{ key: 'a' }] }),
      { nodeSelector: { a: 'b', vm: 'yes' }, tolerations: [{ key: 'a' }, exists] },
    ],
  ])('with %j gets %j', async (sent, gets) => {
    const spec = { ...sent };
    expect(await runPlugin(plugin, writePod(spec), context)).toBeUndefined();
    expect(spec).toEqual({ ...sent, ...gets });
  });

  const alreadySet = 'pod rejected: the overhead is already set, which only its RuntimeClass may set';
  const unexpected = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
  it.each<[JsonObject, string]>([
    [named('none'), 'pod rejected: RuntimeClass "none" not found'],
    [named('heavy', { overhead: { cpu: '1' } }), alreadySet],
    [named('heavy', { overhead: { cpu: '1', memory: '120Mi' } }), alreadySet],
    [named('heavy', { overhead: { cpu: '250m', memory: '120Mi' } }), alreadySet],
    [named('heavy', { overhead: {} }), alreadySet],
    [named('light', { overhead: { cpu: '1' } }), unexpected],
    [{ overhead: { cpu: '1' } }, unexpected],
    [
      named('picky', { nodeSelector: { vm: 'no' } }),
      'conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm] = no',
    ],
  ])('with %j is refused', async (sent, why) =>
    expect((await runPlugin(plugin, writePod({ ...sent }), context))?.message).toBe(`pods "a" is forbidden: ${why}`),
  );
});

it('keeps its overhead when plugins run a second time', async () => {
  const spec = named('heavy', { overhead: { cpu: '250m', memory: '120Mi' } });
  const again = { ...writePod(spec), pass: { isSecond: true, again: () => {} } };
  expect(await plugin.admit?.(again, context)).toBeUndefined();
  expect(await plugin.validate?.(writePod(spec), context)).toBeUndefined();
});

it('is refused if a later plugin changes its overhead', async () => {
  const spec = named('heavy', { overhead: { cpu: '1' } });
  const failure = await plugin.validate?.(writePod(spec), context);
  expect(failure?.message).toContain("Pod's Overhead doesn't match RuntimeClass's defined Overhead");
});

testAdmissionPlugin({
  plugin,
  admitted: writePod(named('light')),
  refused: writePod(named('none')),
  context,
  words: ['runtimeClassName', 'overhead', 'nodeSelector', 'tolerations'],
});
