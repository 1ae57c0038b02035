/** ExtendedResourceToleration: pods tolerate the taints that go with what they ask for. */
import { describe, expect, it } from 'vitest';
import { defineExtendedResourceToleration } from '../../../../../plugins/index.js';
import type { JsonObject } from '../../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../../runtime/objects/naming.js';
import { runPlugin } from '../../../../support/admission-suite.js';
import { contextOf } from '../attributes.js';
import { pods, writePod } from './pods.js';

const plugin = defineExtendedResourceToleration(kubernetesNaming);
const asking = (...names: string[]): JsonObject => ({
  name: 'c',
  resources: { requests: Object.fromEntries(names.map((name) => [name, '1'])) },
});
const tolerating = (key: string): JsonObject => ({ key, operator: 'Exists', effect: 'NoSchedule' });

async function tolerationsOf(spec: JsonObject) {
  expect(await runPlugin(plugin, writePod(spec), contextOf({}))).toBeUndefined();
  return spec.tolerations;
}

describe('a pod', () => {
  it.each<[JsonObject, readonly string[] | undefined]>([
    [{ containers: [asking()] }, undefined],
    [{ containers: [asking('cpu', 'memory', 'hugepages-2Mi', 'ephemeral-storage')] }, undefined],
    [{ containers: [asking('kubernetes.io/x', 'requests.example.com/x')] }, undefined],
    [
      { containers: [asking('example.org/z', 'example.com/a'), asking('example.com/a')] },
      ['example.com/a', 'example.org/z'],
    ],
    [{ containers: [asking('a.com/main')], initContainers: [asking('a.com/init')] }, ['a.com/init', 'a.com/main']],
  ])('with %j tolerates %j', async (spec, keys) => {
    expect(await tolerationsOf(structuredClone(spec))).toEqual(keys?.map(tolerating));
  });

  it.each<[JsonObject[], JsonObject[]]>([
    [[{ operator: 'Exists' }], [{ operator: 'Exists' }, tolerating('a.com/x')]],
    [[tolerating('a.com/x')], [tolerating('a.com/x')]],
    [[{ ...tolerating('a.com/x'), tolerationSeconds: 1 }], [tolerating('a.com/x')]],
    [
      [{ key: 'a.com/x', value: 'v', effect: 'NoSchedule' }],
      [{ key: 'a.com/x', value: 'v', effect: 'NoSchedule' }, tolerating('a.com/x')],
    ],
  ])('that tolerates %j has %j in the end', async (tolerations, all) => {
    expect(await tolerationsOf({ containers: [asking('a.com/x')], tolerations })).toEqual(all);
  });

  it('is looked at when it is created or updated, and not in its subresources', () => {
    expect(plugin.handles(pods, 'UPDATE', '')).toBe(true);
    expect(plugin.handles(pods, 'UPDATE', 'status')).toBe(false);
  });
});
