/** TaintNodesByCondition: new nodes start with a taint, once. */
import { expect, it } from 'vitest';
import { defineTaintNodesByCondition } from '../../../../plugins/index.js';
import type { JsonValue } from '../../../../runtime/contract/index.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/naming.js';
import { runPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { contextWith, object, write } from './attributes.js';

const nodes = moduleOf('', 'nodes', 'Node', { scope: 'Cluster' });
const plugin = defineTaintNodesByCondition(kubernetesNaming);

async function specOf(spec: JsonValue | undefined, by = plugin): Promise<JsonValue | undefined> {
  const made = object(spec === undefined ? {} : { spec });
  expect(await runPlugin(by, write({ resource: nodes, namespace: '', object: made }), contextWith({}))).toBeUndefined();
  return made.spec;
}

const added = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

it('taints a new node, whatever it has besides', async () => {
  expect(await specOf(undefined)).toEqual({ taints: [added] });
  expect(await specOf({ unschedulable: true })).toEqual({ unschedulable: true, taints: [added] });
  const evicting = { ...added, effect: 'NoExecute' };
  expect(await specOf({ taints: [evicting] })).toEqual({ taints: [evicting, added] });
  const [platform] = [{ ...added, key: 'node.platform.io/not-ready' }];
  expect(await specOf({}, defineTaintNodesByCondition(platformNaming))).toEqual({ taints: [platform] });
});

it('leaves one alone that has the taint, with whichever value', async () => {
  const own = { taints: [{ ...added, value: 'x' }] };
  expect(await specOf(own)).toEqual(own);
});

it.each([
  [nodes, 'UPDATE', ''],
  [nodes, 'CREATE', 'status'],
  [moduleOf('example.com', 'nodes', 'Node'), 'CREATE', ''],
] as const)('has nothing to do with other writes (%#)', (resource, operation, subresource) => {
  expect(plugin.handles(resource, operation, subresource)).toBe(false);
});
