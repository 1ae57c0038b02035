/** The priority classes of the system stay; others go. */
import { expect, it } from 'vitest';
import { defineSystemPriorities } from '../../../../plugins/index.js';
import { platformNaming } from '../../../../runtime/objects/naming.js';
import { systemPriorityClasses } from '../../../../strategies/scheduling.platform.io/system-priorities.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { contextWith, write } from './attributes.js';

const plugin = defineSystemPriorities(platformNaming);
const resource = moduleOf('scheduling.platform.io', 'priorityclasses', 'PriorityClass', { scope: 'Cluster' });
const deletion = (name: string) => write({ operation: 'DELETE', resource, namespace: '', name });

testAdmissionPlugin({
  plugin,
  admitted: deletion('high'),
  refused: deletion('system-node-critical'),
  context: contextWith({}),
  words: [],
});

it.each(systemPriorityClasses.map(({ name }) => name))('%s is not deleted', async (name) => {
  expect(await runPlugin(plugin, deletion(name), contextWith({}))).toMatchObject({
    reason: 'Forbidden',
    message: `priorityclasses.scheduling.platform.io "${name}" is forbidden: this is a system priority class and cannot be deleted`,
  });
});
