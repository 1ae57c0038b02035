import { describe, expect, it } from 'vitest';
import { mergeTolerations } from '../../../../plugins/admission/tolerations.js';
import {
  defineDefaultTolerationSeconds,
  defineExtendedResourceToleration,
  defineTaintNodesByCondition,
} from '../../../../plugins/index.js';
import type { JsonObject, JsonValue } from '../../../../runtime/contract/index.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { runPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { contextOf, contextWith, object, write } from './attributes.js';
import { pods, writePod } from './pods.js';

describe('DefaultTolerationSeconds', () => {
  const plugin = defineDefaultTolerationSeconds(kubernetesNaming);

  async function tolerationsOf(tolerations: JsonValue | undefined, by = plugin): Promise<JsonValue | undefined> {
    const spec: JsonObject = tolerations === undefined ? {} : { tolerations };
    expect(await runPlugin(by, writePod(spec), contextWith({}))).toBeUndefined();
    return spec.tolerations;
  }

  const added = (taint: string, tolerationSeconds = 300): JsonObject => ({
    key: `node.kubernetes.io/${taint}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds,
  });

  describe('a pod', () => {
    it('stays for five minutes, or for the configured time', async () => {
      expect(await tolerationsOf(undefined)).toEqual([added('not-ready'), added('unreachable')]);
      const other = defineDefaultTolerationSeconds(kubernetesNaming, { notReady: 0, unreachable: 60 });
      expect(await tolerationsOf([], other)).toEqual([added('not-ready', 0), added('unreachable', 60)]);
    });

    it.each([
      ['the taint', { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute', value: 'x' }],
      ['it with any effect', { key: 'node.kubernetes.io/not-ready', operator: 'Exists' }],
    ])('that tolerates %s keeps its own', async (_, own) =>
      expect(await tolerationsOf([own])).toEqual([own, added('unreachable')]),
    );

    it.each([
      ['another effect', { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
      ['another taint', { key: 'mine', effect: 'NoExecute' }],
      ['another effect of all taints', { operator: 'Exists', effect: 'NoSchedule' }],
    ])('that tolerates %s gets both', async (_, own) =>
      expect(await tolerationsOf([own])).toEqual([own, added('not-ready'), added('unreachable')]),
    );

    it('that tolerates everything gets none', async () =>
      expect(await tolerationsOf([{ operator: 'Exists' }])).toEqual([{ operator: 'Exists' }]));
  });

  it('handles creates and updates of pods only', () => {
    const handled = [
      plugin.handles(pods, 'CREATE', ''),
      plugin.handles(pods, 'UPDATE', ''),
      plugin.handles(pods, 'UPDATE', 'status'),
      plugin.handles(pods, 'DELETE', ''),
    ];
    expect(handled).toEqual([true, true, false, false]);
  });

  const all = { operator: 'Exists' };
  const exists = { key: 'k', operator: 'Exists' };
  const equals = { key: 'k', operator: 'Equal', value: 'v' };
  const stays = { key: 'k', operator: 'Exists', effect: 'NoExecute' };
  const leaves = { ...stays, tolerationSeconds: 10 };

  it.each([
    ['both where neither covers the other', [equals], [{ key: 'x' }], [equals, { key: 'x' }]],
    ['one of two that are the same', [exists], [{ ...exists }], [exists]],
    ['the wider one, which comes first', [exists], [equals], [exists]],
    ['the wider one, which comes last', [equals], [exists], [exists]],
    ['the one that is about all taints', [equals, stays], [all], [all]],
    [
      'the one that lasts longer',
      [leaves],
      [{ ...leaves, tolerationSeconds: 20 }],
      [{ ...leaves, tolerationSeconds: 20 }],
    ],
    ['the one that lasts for ever', [leaves], [stays], [stays]],
    ['the one with any effect', [{ ...equals, effect: 'NoSchedule' }], [equals], [equals]],
    ['both effects', [{ ...exists, effect: 'NoSchedule' }], [stays], [{ ...exists, effect: 'NoSchedule' }, stays]],
    ['both values', [equals], [{ ...equals, value: 'w' }], [equals, { ...equals, value: 'w' }]],
    ['the one about any value, though the other says no operator', [exists], [{ key: 'k', value: 'v' }], [exists]],
    [
      'the one without an operator, which covers the other',
      [equals],
      [{ key: 'k', value: 'v' }],
      [{ key: 'k', value: 'v' }],
    ],
    [
      'both where one without a key is about one value',
      [{ operator: 'Equal' }],
      [equals],
      [{ operator: 'Equal' }, equals],
    ],
    ['what there is', undefined, [equals], [equals]],
  ])('keep %s', (_, first, second, merged) => expect(mergeTolerations(first, second)).toEqual(merged));
});

describe('ExtendedResourceToleration', () => {
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
    ])('with %j tolerates %j', async (spec, keys) =>
      expect(await tolerationsOf(structuredClone(spec))).toEqual(keys?.map(tolerating)),
    );

    it.each<[JsonObject[], JsonObject[]]>([
      [[{ operator: 'Exists' }], [{ operator: 'Exists' }, tolerating('a.com/x')]],
      [[tolerating('a.com/x')], [tolerating('a.com/x')]],
      [[{ ...tolerating('a.com/x'), tolerationSeconds: 1 }], [tolerating('a.com/x')]],
      [
        [{ key: 'a.com/x', value: 'v', effect: 'NoSchedule' }],
        [{ key: 'a.com/x', value: 'v', effect: 'NoSchedule' }, tolerating('a.com/x')],
      ],
    ])('that tolerates %j has %j in the end', async (tolerations, all) =>
      expect(await tolerationsOf({ containers: [asking('a.com/x')], tolerations })).toEqual(all),
    );

    it('is handled when created or updated, but not in its subresources', () => {
      expect(plugin.handles(pods, 'UPDATE', '')).toBe(true);
      expect(plugin.handles(pods, 'UPDATE', 'status')).toBe(false);
    });
  });
});

describe('TaintNodesByCondition', () => {
  const nodes = moduleOf('', 'nodes', 'Node', { scope: 'Cluster' });
  const plugin = defineTaintNodesByCondition(kubernetesNaming);

  async function specOf(spec: JsonValue | undefined, by = plugin): Promise<JsonValue | undefined> {
    const made = object(spec === undefined ? {} : { spec });
    expect(
      await runPlugin(by, write({ resource: nodes, namespace: '', object: made }), contextWith({})),
    ).toBeUndefined();
    return made.spec;
  }

  const added = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

  it('taints a new node, beside its other taints', async () => {
    expect(await specOf(undefined)).toEqual({ taints: [added] });
    expect(await specOf({ unschedulable: true })).toEqual({ unschedulable: true, taints: [added] });
    const evicting = { ...added, effect: 'NoExecute' };
    expect(await specOf({ taints: [evicting] })).toEqual({ taints: [evicting, added] });
    const [platform] = [{ ...added, key: 'node.platform.io/not-ready' }];
    expect(await specOf({}, defineTaintNodesByCondition(platformNaming))).toEqual({ taints: [platform] });
  });

  it('does not change a node that has the taint, with any value', async () => {
    const own = { taints: [{ ...added, value: 'x' }] };
    expect(await specOf(own)).toEqual(own);
  });

  it.each([
    [nodes, 'UPDATE', ''],
    [nodes, 'CREATE', 'status'],
    [moduleOf('example.com', 'nodes', 'Node'), 'CREATE', ''],
  ] as const)('ignores other writes (%#)', (resource, operation, subresource) =>
    expect(plugin.handles(resource, operation, subresource)).toBe(false),
  );
});
