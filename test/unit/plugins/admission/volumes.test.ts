import { describe, expect, it } from 'vitest';
import {
  definePersistentVolumeClaimResize,
  definePersistentVolumeLabel,
  defineStorageObjectInUseProtection,
  type Labels,
} from '../../../../plugins/index.js';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { runPlugin, testAdmissionPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { configMaps, contextOf, contextWith, object, write } from './attributes.js';

describe('PersistentVolumeLabel and PersistentVolumeClaimResize', () => {
  const volumes = moduleOf('', 'persistentvolumes', 'PersistentVolume', { scope: 'Cluster' });
  const zone = 'topology.kubernetes.io/zone';
  const region = 'topology.kubernetes.io/region';
  const oldZone = 'failure-domain.beta.kubernetes.io/zone';

  const create = (volume: ApiObject) => write({ resource: volumes, namespace: '', object: volume });

  async function labelled(found: Labels | undefined | Error, volume: Partial<ApiObject> = {}): Promise<ApiObject> {
    const plugin = definePersistentVolumeLabel(kubernetesNaming, async () => {
      if (found instanceof Error) throw found;
      return found;
    });
    const made = object(volume);
    expect(await runPlugin(plugin, create(made), contextWith({}))).toBeUndefined();
    return made;
  }

  const affinity = (...nodeSelectorTerms: JsonObject[]): JsonObject => ({
    nodeAffinity: { required: { nodeSelectorTerms } },
  });
  const inZone = { key: zone, operator: 'In', values: ['a'] };

  testAdmissionPlugin({
    plugin: definePersistentVolumeLabel(kubernetesNaming, ({ metadata }) => {
      if (metadata.name === 'bad') throw new Error('nobody knows its place');
      return { [zone]: 'a' };
    }),
    admitted: create(object()),
    refused: { ...create(object({ metadata: { name: 'bad' } })), name: 'bad' },
    context: contextWith({}),
    words: ['nodeAffinity', 'required', 'nodeSelectorTerms', 'matchExpressions'],
  });

  describe('a volume', () => {
    it('gets the found labels instead of its own, and requires them of nodes', async () => {
      const { metadata, spec } = await labelled(
        { [zone]: 'b__a', [region]: 'r' },
        { metadata: { name: 'v', labels: { [zone]: 'x', own: 'y' } }, spec: { capacity: { storage: '1Gi' } } },
      );
      expect(metadata.labels).toEqual({ [zone]: 'b__a', [region]: 'r', own: 'y' });
      expect(spec).toEqual({
        capacity: { storage: '1Gi' },
        ...affinity({
          matchExpressions: [
            { key: zone, operator: 'In', values: ['a', 'b'] },
            { key: region, operator: 'In', values: ['r'] },
          ],
        }),
      });
    });

    it('requires them in each of its terms', async () => {
      const own = { key: 'disk', operator: 'Exists' };
      const { spec } = await labelled({ [zone]: 'a' }, { spec: affinity({ matchExpressions: [own] }, {}) });
      expect(spec).toEqual(affinity({ matchExpressions: [own, inZone] }, { matchExpressions: [inZone] }));
    });

    it('keeps its own terms about the location', async () => {
      const spec = affinity({ matchExpressions: [{ key: zone, operator: 'In', values: ['x'] }] });
      const volume = await labelled({ [zone]: 'a' }, { spec: structuredClone(spec) });
      expect(volume.spec).toEqual(spec);
      expect(volume.metadata.labels).toEqual({ [zone]: 'a' });
    });

    it('stays unchanged if its location is unknown', async () => {
      for (const found of [undefined, {}]) {
        expect(await labelled(found, { spec: {} })).toEqual(object({ spec: {} }));
      }
    });

    it('keeps the labels of its maker if it was made for a claim', async () => {
      const annotations = { 'pv.kubernetes.io/provisioned-by': 'example.com' };
      const labels = { [zone]: 'a', [region]: 'r' };
      const { metadata } = await labelled(new Error('not asked'), { metadata: { name: 'v', annotations, labels } });
      expect(metadata.labels).toEqual(labels);
      const half = { annotations, labels: { [oldZone]: 'a', [region]: 'r' } };
      const completed = await labelled({ [zone]: 'b' }, { metadata: { name: 'v', ...half } });
      expect(completed.metadata.labels).toEqual({ ...half.labels, [zone]: 'b' });
    });
  });

  it.each<[Labels | Error, string]>([
    [new Error('nobody knows'), 'nobody knows'],
    [{ [zone]: 'a__' }, 'failed to convert label string for Zone: a__ to a Set'],
  ])('refuses a volume for %j', async (found, why) => {
    const plugin = definePersistentVolumeLabel(kubernetesNaming, () => {
      if (found instanceof Error) throw found;
      return found;
    });
    expect(await runPlugin(plugin, create(object()), contextWith({}))).toMatchObject({
      reason: 'Forbidden',
      message: `persistentvolumes "a" is forbidden: ${why}`,
    });
  });

  const claims = moduleOf('', 'persistentvolumeclaims', 'PersistentVolumeClaim');
  const plugin = definePersistentVolumeClaimResize(kubernetesNaming);
  const context = contextOf({
    'storage.k8s.io/storageclasses//grows': object({ allowVolumeExpansion: true }),
    'storage.k8s.io/storageclasses//fixed': object({ allowVolumeExpansion: false }),
    'storage.k8s.io/storageclasses//silent': object(),
  });

  const claim = (storage: string, storageClassName: string, phase = 'Bound'): ApiObject =>
    object({ spec: { storageClassName, resources: { requests: { storage } } }, status: { phase } });

  const update = (before: ApiObject, after: ApiObject) =>
    write({ resource: claims, operation: 'UPDATE', oldObject: before, object: after });

  const noResize =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

  it.each([
    ['grows where its class lets it', claim('1Gi', 'grows'), claim('2Gi', 'grows'), undefined],
    ['stays as large as it is', claim('1Gi', 'fixed'), claim('1024Mi', 'fixed'), undefined],
    ['does not shrink by this', claim('2Gi', 'fixed'), claim('1Gi', 'fixed'), undefined],
    ['of a class that says no', claim('1Gi', 'fixed'), claim('2Gi', 'fixed'), noResize],
    ['of a class that says nothing', claim('1Gi', 'silent'), claim('2Gi', 'silent'), noResize],
    ['of a class that is not there', claim('1Gi', 'none'), claim('2Gi', 'none'), noResize],
    ['of no class', claim('1Gi', ''), claim('2Gi', ''), noResize],
    ['that changes its class', claim('1Gi', 'fixed'), claim('2Gi', 'grows'), noResize],
    [
      'that has no volume yet',
      claim('1Gi', 'grows', 'Pending'),
      claim('2Gi', 'grows', 'Pending'),
      'Only bound persistent volume claims can be expanded',
    ],
  ])('a claim %s', async (_, before, after, why) => {
    const failure = await runPlugin(plugin, update(before, after), context);
    expect(failure?.message).toBe(why && `persistentvolumeclaims "a" is forbidden: ${why}`);
  });

  it('has the class in its annotation', async () => {
    const annotations = { 'volume.beta.kubernetes.io/storage-class': 'grows' };
    const annotated = (size: string): ApiObject => ({ ...claim(size, ''), metadata: { name: 'a', annotations } });
    expect(await runPlugin(plugin, update(annotated('1Gi'), annotated('2Gi')), context)).toBeUndefined();
  });

  testAdmissionPlugin({
    plugin,
    admitted: update(claim('1Gi', 'grows'), claim('2Gi', 'grows')),
    refused: update(claim('1Gi', 'fixed'), claim('2Gi', 'fixed')),
    context,
    words: ['storageClassName', 'resources', 'requests', 'storage', 'phase'],
  });
});

describe('StorageObjectInUseProtection', () => {
  const plugin = defineStorageObjectInUseProtection(platformNaming);
  const claims = moduleOf('', 'persistentvolumeclaims', 'PersistentVolumeClaim');
  const volumes = moduleOf('', 'persistentvolumes', 'PersistentVolume', { scope: 'Cluster' });

  async function finalizersOf(resource: typeof claims, before?: readonly string[], by = plugin) {
    const made = object({ metadata: { name: 'a', ...(before ? { finalizers: [...before] } : {}) } });
    expect(await runPlugin(by, write({ resource, object: made }), contextWith({}))).toBeUndefined();
    return made.metadata.finalizers;
  }

  describe('new objects', () => {
    it('get a finalizer of their kind', async () => {
      expect(await finalizersOf(claims)).toEqual(['platform.io/pvc-protection']);
      expect(await finalizersOf(volumes)).toEqual(['platform.io/pv-protection']);
      const named = defineStorageObjectInUseProtection(kubernetesNaming);
      expect(await finalizersOf(claims, undefined, named)).toEqual(['kubernetes.io/pvc-protection']);
    });

    it('keep the finalizers that they come with, each once', async () => {
      expect(await finalizersOf(claims, ['example.com/a'])).toEqual(['example.com/a', 'platform.io/pvc-protection']);
      const both = ['platform.io/pv-protection', 'example.com/a'];
      expect(await finalizersOf(volumes, both)).toEqual(both);
    });
  });

  it.each([
    [claims, 'UPDATE', ''],
    [claims, 'CREATE', 'status'],
    [claims, 'DELETE', ''],
    [configMaps, 'CREATE', ''],
    [moduleOf('example.com', 'persistentvolumes', 'PersistentVolume'), 'CREATE', ''],
  ] as const)('ignores other writes (%#)', (resource, operation, subresource) =>
    expect(plugin.handles(resource, operation, subresource)).toBe(false),
  );
});
