/** LimitPodHardAntiAffinityTopology: nothing wider than a node is kept free of others. */
import { expect, it } from 'vitest';
import { defineLimitPodHardAntiAffinityTopology } from '../../../../../plugins/index.js';
import type { JsonObject } from '../../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../../runtime/objects/naming.js';
import { runPlugin, testAdmissionPlugin } from '../../../../support/admission-suite.js';
import { contextOf } from '../attributes.js';
import { writePod } from './pods.js';

const plugin = defineLimitPodHardAntiAffinityTopology(kubernetesNaming);
const context = contextOf({});
const host = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';
const apart = (...keys: string[]): JsonObject => ({
  affinity: {
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: keys.map((topologyKey) => ({ topologyKey })) },
  },
});
const together: JsonObject = {
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone }] } },
};
const preferred: JsonObject = {
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: zone } }],
    },
  },
};

it.each([{}, apart(), apart(host), together, preferred])('lets in a pod with %j', async (spec) => {
  expect(await runPlugin(plugin, writePod(spec), context)).toBeUndefined();
});

it.each([
  [apart(zone), zone],
  [apart(host, 'example.com/rack', zone), 'example.com/rack'],
])('refuses a pod with %j', async (spec, key) => {
  const failure = await runPlugin(plugin, writePod(spec), context);
  const said = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${key}`;
  expect(failure?.message).toBe(`pods "a" is forbidden: ${said} but only key ${host} is allowed`);
});

testAdmissionPlugin({
  plugin,
  admitted: writePod(apart(host)),
  refused: writePod(apart(zone)),
  context,
  words: ['affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'topologyKey'],
});
