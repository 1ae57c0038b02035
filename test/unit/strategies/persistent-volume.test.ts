/** PersistentVolume: contents, capacity, changes, and what tables show. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { platformNaming } from '../../../runtime/objects/naming.js';
import { definePersistentVolumeStrategy } from '../../../strategies/persistent-volume.js';
import { changeErrorsOf, errorsOf, objectOf } from '../../support/field-errors.js';
import { testStrategy } from '../../support/strategy-suite.js';

const strategy = definePersistentVolumeStrategy(platformNaming);
const good: JsonObject = {
  capacity: { storage: '5Gi' },
  accessModes: ['ReadWriteOnce'],
  hostPath: { path: '/data' },
  persistentVolumeReclaimPolicy: 'Retain',
  volumeMode: 'Filesystem',
};
const volume = (spec: JsonObject = {}, metadata: JsonObject = {}) =>
  objectOf('PersistentVolume', { spec: { ...good, ...spec } }, metadata);

testStrategy({
  strategy,
  stored: volume(),
  words: ['capacity', 'storage', 'accessModes', 'hostPath', 'csi', 'local', 'nodeAffinity', 'claimRef'],
  subresources: ['status'],
  columns: ['Capacity', 'Access Modes', 'Status', 'Claim', 'StorageClass', 'VolumeMode'],
});

describe('a volume', () => {
  it.each([
    [{ hostPath: undefined }, ['spec: Required value: must specify a volume type']],
    [{ nfs: { server: 's', path: '/p' } }, ['spec.nfs: Forbidden: may not specify more than 1 volume type']],
    [{ accessModes: [] }, ['spec.accessModes: Required value']],
    [
      { accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] },
      ['spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes'],
    ],
    [{ capacity: {} }, ['spec.capacity: Required value', 'spec.capacity: Unsupported value']],
    [{ capacity: { storage: '0' } }, ['spec.capacity[storage]: Invalid value: "0": must be greater than zero']],
    [
      { hostPath: undefined, local: { path: '/a/../b' } },
      [
        'spec.local.path: Invalid value: "/a/../b": must not contain \'..\'',
        'spec.nodeAffinity: Required value: Local volume requires node affinity',
      ],
    ],
    [
      { hostPath: undefined, csi: { driver: 'd.example.com', nodePublishSecretRef: { name: 's' } } },
      ['spec.csi.volumeHandle: Required value', 'spec.csi.nodePublishSecretRef.namespace: Required value'],
    ],
    [
      { hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' },
      ["spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'"],
    ],
    [{ storageClassName: 'No' }, ['spec.storageClassName: Invalid value: "No"']],
  ])('is refused with %j', (spec, expected) => {
    const errors = errorsOf(strategy, volume(spec));
    expect(errors).toHaveLength(expected.length);
    for (const [i, start] of expected.entries()) expect(errors[i]).toContain(start);
  });

  it('keeps its contents', () => {
    const changed = volume({ hostPath: { path: '/other' }, volumeMode: 'Block' });
    expect(changeErrorsOf(strategy, changed, volume())).toEqual([
      'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation',
      'volumeMode: Invalid value: "Block": field is immutable',
    ]);
    const csi = { driver: 'd', volumeHandle: 'h' };
    const grown = volume({ csi: { ...csi, controllerExpandSecretRef: { name: 's', namespace: 'n' } } });
    expect(changeErrorsOf(strategy, grown, volume({ csi }))).toEqual([]);
  });

  it('has defaults', () => {
    const object = objectOf('PersistentVolume', { spec: {} });
    strategy.canonicalize?.(object);
    expect(object.spec).toEqual({ persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' });
  });

  it('shows what it is', () => {
    const object = volume({ accessModes: ['ReadWriteMany', 'ReadWriteOnce'], claimRef: { namespace: 'n', name: 'c' } });
    const cells = ['Capacity', 'Access Modes', 'Claim', 'StorageClass', 'VolumeMode'];
    expect(cells.map((name) => strategy.cell?.(object, name, 0))).toEqual(['5Gi', 'RWO,RWX', 'n/c', '', 'Filesystem']);
    const ending = volume({}, { deletionTimestamp: '2024-05-06T07:08:09Z' });
    expect(strategy.cell?.(ending, 'Status', 0)).toBe('Terminating');
  });
});
