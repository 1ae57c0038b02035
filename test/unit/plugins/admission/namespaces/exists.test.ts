/** NamespaceExists: writes in a namespace need it to be there; writes of the cluster need nothing. */
import { expect, it } from 'vitest';
import { defineNamespaceExists } from '../../../../../plugins/index.js';
import { runPlugin, testAdmissionPlugin } from '../../../../support/admission-suite.js';
import { configMaps, contextWith, namespaces, object, write } from '../attributes.js';

const plugin = defineNamespaceExists();
const context = contextWith({ team: 'Active', ending: 'Terminating' });

testAdmissionPlugin({
  plugin,
  admitted: write({ object: object() }),
  refused: write({ namespace: 'nowhere', object: object() }),
  context,
  words: [],
});

it.each(['CREATE', 'UPDATE', 'DELETE'] as const)('%s needs the namespace, which may be ending', async (operation) => {
  expect(await runPlugin(plugin, write({ operation, namespace: 'ending' }), context)).toBeUndefined();
  expect(await runPlugin(plugin, write({ operation, namespace: 'nowhere' }), context)).toMatchObject({
    reason: 'NotFound',
    message: 'namespaces "nowhere" not found',
  });
});

it('has nothing to do with the cluster, and with connections', () => {
  expect(plugin.handles(namespaces, 'CREATE', '')).toBe(false);
  expect(plugin.handles(configMaps, 'CONNECT', 'proxy')).toBe(false);
});
