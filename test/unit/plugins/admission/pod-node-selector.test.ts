import { describe, expect, it } from 'vitest';
import { definePodNodeSelector } from '../../../../plugins/index.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { hostOf } from '../../../support/admission-host.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { contextOf, object } from './attributes.js';
import { pods, writePod } from './pods.js';

const annotation = 'scheduler.alpha.kubernetes.io/node-selector';
const namespace = (selector?: string) =>
  object({ metadata: { name: 'n', ...(selector === undefined ? {} : { annotations: { [annotation]: selector } }) } });

const context = contextOf({
  '/namespaces//plain': namespace(),
  '/namespaces//own': namespace(' team = blue, env=test'),
  '/namespaces//open': namespace(''),
  '/namespaces//wrong': namespace('team in (blue)'),
  '/namespaces//listed': namespace(),
  '/namespaces//both': namespace('zone=a'),
});

const plugin = definePodNodeSelector(kubernetesNaming);
const configuration = {
  podNodeSelectorPluginConfig: {
    clusterDefaultNodeSelector: 'pool=general',
    listed: 'pool=general,disk=ssd',
    both: 'pool=general',
  },
};
plugin.start?.(hostOf([]), configuration);

const write = (space: string, nodeSelector?: JsonObject) =>
  writePod(nodeSelector ? { nodeSelector } : {}, { namespace: space });

describe('a pod', () => {
  it.each<[string, JsonObject | undefined, JsonObject | undefined]>([
    ['plain', undefined, { pool: 'general' }],
    ['plain', { disk: 'ssd' }, { disk: 'ssd', pool: 'general' }],
    ['own', { pool: 'batch' }, { pool: 'batch', team: 'blue', env: 'test' }],
    ['open', undefined, undefined],
    ['open', { a: 'b' }, { a: 'b' }],
    ['listed', { disk: 'ssd' }, { disk: 'ssd', pool: 'general' }],
  ])('in the namespace %s with the selector %j gets %j', async (space, sent, gets) => {
    const attributes = write(space, sent);
    expect(await runPlugin(plugin, attributes, context)).toBeUndefined();
    expect(attributes.object).toMatchObject({ spec: gets ? { nodeSelector: gets } : {} });
    expect(Object.keys(attributes.object?.spec ?? {}).length).toBe(gets ? 1 : 0);
  });

  const conflict = 'pod node label selector conflicts with its namespace node label selector';
  const unlisted = 'pod node label selector labels conflict with its namespace whitelist';
  it.each<[string, JsonObject | undefined, string]>([
    ['plain', { pool: 'batch' }, conflict],
    ['plain', { pool: '' }, conflict],
    ['own', { team: 'red' }, conflict],
    ['listed', { disk: 'hdd' }, unlisted],
    ['listed', { other: 'x' }, unlisted],
    ['listed', { pool: 'batch' }, conflict],
    ['both', undefined, unlisted],
    [
      'wrong',
      undefined,
      `annotation ${annotation} of the namespace: invalid selector: "team in (blue)" is not <label>=<value>`,
    ],
  ])('in the namespace %s with the selector %j is refused', async (space, sent, why) => {
    const failure = await runPlugin(plugin, write(space, sent), context);
    expect(failure).toMatchObject({ reason: 'Forbidden', message: `pods "a" is forbidden: ${why}` });
  });

  it('is refused if a later plugin changed its selector', async () => {
    expect((await plugin.validate?.(write('plain', { pool: 'x' }), context))?.message).toContain(conflict);
    expect((await plugin.validate?.(write('listed', { a: 'b' }), context))?.message).toContain(unlisted);
    expect(await plugin.validate?.(write('plain', {}), context)).toBeUndefined();
  });

  it('of a missing namespace is refused', async () =>
    expect(await runPlugin(plugin, write('none'), context)).toMatchObject({ reason: 'NotFound' }));

  it('is checked only when it is created', () => expect(plugin.handles(pods, 'UPDATE', '')).toBe(false));
});

it('changes nothing without a configuration', async () => {
  const other = definePodNodeSelector(kubernetesNaming);
  other.start?.(hostOf([]));
  const attributes = write('plain');
  expect(await runPlugin(other, attributes, context)).toBeUndefined();
  expect(attributes.object?.spec).toEqual({});
});

it.each<[string, string]>([
  ['team', 'invalid selector: "team" is not <label>=<value>'],
  ['pool==x', 'invalid selector: "pool==x" is not <label>=<value>'],
  ['=blue', 'invalid selector: "=blue": name part must be non-empty'],
  ['a=b c', 'invalid selector: "a=b c": '],
])('refuses the configured selector %j', (selector, problem) => {
  const told: string[] = [];
  const value = { podNodeSelectorPluginConfig: { n: selector } };
  plugin.configuration?.check(value, (path, text) => told.push(`${path.join('.')}: ${text}`));
  expect(told).toEqual([expect.stringContaining(`podNodeSelectorPluginConfig.n: ${problem}`)]);
});

testAdmissionPlugin({
  plugin,
  admitted: write('plain'),
  refused: write('plain', { pool: 'batch' }),
  context,
  words: ['nodeSelector', 'pool'],
});
