import { describe, expect, it } from 'vitest';
import { definePriority, defineSystemPriorities } from '../../../../plugins/index.js';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { systemPriorityClasses } from '../../../../strategies/scheduling.platform.io/priorityclasses.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { contextOf, contextWith, object, started, write } from './attributes.js';
import { pod, writePod } from './pods.js';

const group = 'scheduling.k8s.io';
const classes = moduleOf(group, 'priorityclasses', 'PriorityClass', { scope: 'Cluster' });

const priorityClass = (name: string, value: number, more: JsonObject = {}): ApiObject =>
  object({ metadata: { name }, value, ...more });

const high = priorityClass('high', 1000);
const meek = priorityClass('meek', -5, { preemptionPolicy: 'Never' });
const context = contextOf({ [`${group}/priorityclasses//high`]: high, [`${group}/priorityclasses//meek`]: meek });

/** Starts the plugin on a server with these classes. */
function withClasses(...all: readonly ApiObject[]) {
  const plugin = definePriority(kubernetesNaming);
  return { plugin, sink: started(plugin, 'priorityclasses', all) };
}

describe('a pod', () => {
  it.each([
    [{}, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
    [{ priority: 0 }, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
    [{ priorityClassName: 'high' }, { priority: 1000, preemptionPolicy: 'PreemptLowerPriority' }],
    [
      { priorityClassName: 'meek', preemptionPolicy: 'Never' },
      { priority: -5, preemptionPolicy: 'Never' },
    ],
  ])('with %j gets %j', async (sent, gets) => {
    const spec: JsonObject = { ...sent };
    expect(await runPlugin(withClasses().plugin, writePod(spec), context)).toBeUndefined();
    expect(spec).toEqual({ ...sent, ...gets });
  });

  it.each([
    [{ priorityClassName: 'none' }, 'no PriorityClass with name none was found'],
    [
      { priorityClassName: 'high', priority: 7 },
      'the integer value of priority (7) must not be provided in pod spec; ' +
        'priority admission controller computed 1000 from the given PriorityClass name',
    ],
    [
      { priorityClassName: 'meek', preemptionPolicy: 'PreemptLowerPriority' },
      'the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; ' +
        'priority admission controller computed Never from the given PriorityClass name',
    ],
  ])('with %j is refused', async (sent, why) => {
    const failure = await runPlugin(withClasses().plugin, writePod({ ...sent }), context);
    expect(failure?.message).toBe(`pods "a" is forbidden: ${why}`);
  });

  it('gets the default class, the lowest if there are several', async () => {
    const { plugin, sink } = withClasses(
      priorityClass('b', 7, { globalDefault: true }),
      priorityClass('a', 42, { globalDefault: true }),
      high,
    );
    const spec: JsonObject = {};
    await runPlugin(plugin, writePod(spec), context);
    expect(spec).toMatchObject({ priorityClassName: 'b', priority: 7 });
    sink.changed(priorityClass('b', 7));
    sink.removed('', 'a');
    const later: JsonObject = {};
    await runPlugin(plugin, writePod(later), context);
    expect(later).toEqual({ priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
  });

  it('keeps its priority if an update omits it', async () => {
    const spec: JsonObject = {};
    const oldObject = pod({ priority: 7, preemptionPolicy: 'Never' });
    await runPlugin(withClasses().plugin, writePod(spec, { operation: 'UPDATE', oldObject }), context);
    expect(spec).toEqual({ priority: 7, preemptionPolicy: 'Never' });
  });
});

describe('a default class', () => {
  const first = priorityClass('first', 1, { globalDefault: true });
  const second = priorityClass('second', 2, { globalDefault: true });
  const of = (one: ApiObject, operation: 'CREATE' | 'UPDATE') =>
    write({ resource: classes, namespace: '', name: one.metadata.name ?? '', object: one, operation });
  const { plugin } = withClasses(first);

  it.each(['CREATE', 'UPDATE'] as const)('is refused beside another one (%s)', async (operation) => {
    const failure = await runPlugin(plugin, of(second, operation), context);
    const why = 'PriorityClass first is already marked as default. Only one default can exist';
    expect(failure?.message).toBe(`priorityclasses.scheduling.k8s.io "second" is forbidden: ${why}`);
  });

  it('may change, and others that are not default may be created', async () => {
    expect(await runPlugin(plugin, of(first, 'UPDATE'), context)).toBeUndefined();
    expect(await runPlugin(plugin, of(priorityClass('other', 3), 'CREATE'), context)).toBeUndefined();
  });

  testAdmissionPlugin({
    plugin,
    admitted: of(priorityClass('other', 3), 'CREATE'),
    refused: of(second, 'CREATE'),
    context,
    words: ['priorityClassName', 'priority', 'preemptionPolicy', 'globalDefault'],
  });
});

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

it.each(systemPriorityClasses.map(({ name }) => name))('%s is not deleted', async (name) =>
  expect(await runPlugin(plugin, deletion(name), contextWith({}))).toMatchObject({
    reason: 'Forbidden',
    message: `priorityclasses.scheduling.platform.io "${name}" is forbidden: this is a system priority class and cannot be deleted`,
  }),
);
