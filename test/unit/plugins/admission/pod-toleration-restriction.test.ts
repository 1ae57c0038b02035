import { describe, expect, it } from 'vitest';
import { definePodTolerationRestriction } from '../../../../plugins/index.js';
import type { JsonObject, JsonValue } from '../../../../runtime/contract/index.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { hostOf } from '../../../support/admission-host.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { contextOf, object } from './attributes.js';
import { pod, pods, writePod } from './pods.js';

const prefix = 'scheduler.alpha.kubernetes.io/';
const namespace = (annotations: Readonly<Record<string, string>> = {}) =>
  object({
    metadata: {
      name: 'n',
      annotations: Object.fromEntries(Object.entries(annotations).map(([key, value]) => [prefix + key, value])),
    },
  });

const shared = { key: 'shared', operator: 'Exists', effect: 'NoSchedule' };
const zone = { key: 'zone', operator: 'Equal', value: 'a' };
const team = { key: 'team', operator: 'Exists' };
const all = { operator: 'Exists' };
const memory = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' };

const context = contextOf({
  '/namespaces//plain': namespace(),
  '/namespaces//own': namespace({
    defaultTolerations: JSON.stringify([{ ...team, value: '', effect: null }]),
    tolerationsWhitelist: JSON.stringify([team, memory]),
  }),
  '/namespaces//open': namespace({ defaultTolerations: '', tolerationsWhitelist: '' }),
  '/namespaces//null': namespace({ defaultTolerations: 'null', tolerationsWhitelist: '[]' }),
  '/namespaces//torn': namespace({ defaultTolerations: 'nonsense' }),
  '/namespaces//object': namespace({ tolerationsWhitelist: '{}' }),
  '/namespaces//typed': namespace({ tolerationsWhitelist: '[{"key":1}]' }),
});

const plugin = definePodTolerationRestriction(kubernetesNaming);
const configuration = { default: [shared], whitelist: [{ key: 'shared', operator: 'Exists' }, zone, memory] };
plugin.start?.(hostOf([]), configuration);

const containers = (resources: JsonObject): JsonObject[] => [{ name: 'c', resources }];
const create = (space: string, tolerations?: JsonValue, more: JsonObject = {}) =>
  writePod({ ...(tolerations ? { tolerations: structuredClone(tolerations) } : {}), ...more }, { namespace: space });

describe('a pod', () => {
  it.each<[string, JsonObject[] | undefined, JsonObject[] | undefined]>([
    ['plain', undefined, [shared]],
    ['plain', [zone], [zone, shared]],
    ['plain', [{ ...shared, operator: 'Equal', value: 'x' }], [shared]],
    ['own', undefined, [team]],
    ['own', [{ ...team, effect: 'NoExecute' }], [team]],
    ['open', undefined, undefined],
    ['open', [all], [all]],
    ['null', [all], [all]],
  ])('in the namespace %s that tolerates %j has %j in the end', async (space, sent, gets) => {
    const attributes = create(space, sent);
    expect(await runPlugin(plugin, attributes, context)).toBeUndefined();
    expect(attributes.object?.spec).toEqual(gets ? { tolerations: gets } : {});
  });

  it.each<[JsonObject, boolean]>([
    [{}, false],
    [{ requests: { cpu: '0' }, limits: { 'example.com/x': '1' } }, false],
    [{ requests: { cpu: '1m' } }, true],
    [{ limits: { memory: '1Mi' } }, true],
  ])('with the resources %j tolerates short memory: %s', async (resources, tolerates) => {
    for (const list of ['containers', 'initContainers']) {
      const attributes = create('plain', undefined, { [list]: containers(resources) });
      await runPlugin(plugin, attributes, context);
      expect(attributes.object).toMatchObject({ spec: { tolerations: tolerates ? [shared, memory] : [shared] } });
    }
  });

  const conflict = 'pod tolerations (possibly merged with namespace default tolerations) conflict with its';
  const notList = 'of the namespace is not a list of tolerations in JSON';
  it.each<[string, JsonObject[], string]>([
    ['plain', [{ ...zone, value: 'b' }], `${conflict} cluster whitelist`],
    ['plain', [{ key: 'zone', value: 'a' }], `${conflict} cluster whitelist`],
    ['plain', [all], `${conflict} cluster whitelist`],
    ['own', [shared], `${conflict} namespace whitelist`],
    ['torn', [], `annotation ${prefix}defaultTolerations ${notList}`],
    ['object', [], `annotation ${prefix}tolerationsWhitelist ${notList}`],
    ['typed', [], `annotation ${prefix}tolerationsWhitelist ${notList}`],
  ])('in the namespace %s that tolerates %j is refused', async (space, sent, why) => {
    const failure = await runPlugin(plugin, create(space, sent), context);
    expect(failure).toMatchObject({ reason: 'Forbidden', message: `pods "a" is forbidden: ${why}` });
  });

  it('gets nothing on an update, but must follow the list', async () => {
    const update = (tolerations: JsonObject[]) =>
      writePod({ tolerations }, { namespace: 'plain', operation: 'UPDATE', oldObject: pod({}) });
    const attributes = update([zone]);
    expect(await runPlugin(plugin, attributes, context)).toBeUndefined();
    expect(attributes.object?.spec).toEqual({ tolerations: [zone] });
    expect((await runPlugin(plugin, update([all]), context))?.message).toContain(conflict);
  });

  it('with a toleration from a later plugin is refused', async () =>
    expect((await plugin.validate?.(create('plain', [all]), context))?.message).toContain(conflict));

  it('of a missing namespace is refused', async () =>
    expect(await runPlugin(plugin, create('none'), context)).toMatchObject({ reason: 'NotFound' }));

  it('is not checked in its subresources', () => expect(plugin.handles(pods, 'UPDATE', 'status')).toBe(false));
});

it.each<[JsonObject, string]>([
  [{ key: 'a b' }, 'key: name part must consist of'],
  [{ value: 'a' }, ': operator must be Exists if key is empty'],
  [{ key: 'a', operator: 'Exists', value: 'b' }, 'value: must be empty if operator is Exists'],
  [{ key: 'a', tolerationSeconds: 1 }, 'effect: must be NoExecute if tolerationSeconds is set'],
  [{ key: 'a', effect: 'No' }, 'effect: "No" is unknown'],
  [{ keys: 'a', operator: 'Exists' }, 'keys: unknown field'],
])('refuses the configured toleration %j', (toleration, problem) => {
  const told: string[] = [];
  for (const value of [{ default: [toleration] }, { whitelist: [toleration] }]) {
    plugin.configuration?.check(value, (path, text) => told.push(`${path.slice(2).join('.')}: ${text}`));
  }
  expect(told).toEqual([expect.stringContaining(problem), expect.stringContaining(problem)]);
});

testAdmissionPlugin({
  plugin,
  admitted: create('plain', [zone]),
  refused: create('plain', [all]),
  context,
  words: ['tolerations', 'key', 'operator', 'containers', 'resources', 'requests', 'cpu'],
});
