import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { definePersistentVolumes } from '../../../../strategies/core/persistentvolumes.js';
import { servingOf } from '../../../../strategies/shared/serving.js';
import { changeErrorsOf, errorsOf, objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = definePersistentVolumes(servingOf(platformNaming));

const sourceless = {
  capacity: { storage: '1Gi' },
  accessModes: ['ReadWriteOnce'],
  persistentVolumeReclaimPolicy: 'Retain',
  volumeMode: 'Filesystem',
};

const volume = (
  spec: JsonObject = { hostPath: { path: '/data', type: '' } },
  metadata: ApiObject['metadata'] = {},
): ApiObject =>
  objectOf(handlers, { spec: { ...sourceless, ...spec }, status: { phase: 'Pending' } }, { name: 'v1', ...metadata });

const onNode = (key: string, ...values: string[]): JsonObject => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values }] }] },
});

const onNodes = (...keys: string[]): JsonObject => ({
  required: { nodeSelectorTerms: [{ matchExpressions: keys.map((key) => ({ key, operator: 'Exists' })) }] },
});

const csi = (more: JsonObject = {}): JsonObject => ({
  csi: { driver: 'disks.example.com', volumeHandle: 'h', ...more },
});
const secretRef = { name: 's', namespace: 'default' };

describe('the source of a PersistentVolume', () => {
  it.each<[string, JsonObject]>([
    ['a path', { hostPath: { path: '/data' } }],
    ['a driver', csi({ nodePublishSecretRef: secretRef, controllerExpandSecretRef: secretRef })],
    ['a folder of a server', { nfs: { server: 's', path: '/' } }],
    ['Gluster', { glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: 'default' } }],
    ['OpenStack', { cinder: { volumeID: 'v', secretRef } }],
    ['Azure Files', { azureFile: { secretName: 's', shareName: 'f', secretNamespace: 'n' } }],
    [
      'iSCSI',
      {
        iscsi: {
          targetPortal: 'p',
          iqn: 'iqn.2015-02.example.com:test',
          lun: 1,
          initiatorName: 'iqn.2015-02.example.com:init',
        },
      },
    ],
    ['StorageOS', { storageos: { volumeName: 'v', secretRef } }],
  ])('can be %s', (_what, source) => expect(errorsOf(handlers, volume(source))).toEqual([]));

  it.each<[string, JsonObject, string[]]>([
    ['missing', {}, ['spec: Required value: must specify a volume type']],
    [
      'given twice',
      { hostPath: { path: '/data' }, cephfs: { monitors: ['m'] }, nfs: { server: 's', path: '/' } },
      [
        'spec.nfs: Forbidden: may not specify more than 1 volume type',
        'spec.cephFS: Forbidden: may not specify more than 1 volume type',
      ],
    ],
    ['a disk without a name', { gcePersistentDisk: {} }, ['spec.persistentDisk.pdName: Required value']],
    [
      'Gluster in no namespace',
      { glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: '' } },
      [
        'spec.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
      ],
    ],
    [
      'a secret without a namespace',
      { cinder: { volumeID: 'v', secretRef: { name: 's' } } },
      ['spec.cinder.secretRef.namespace: Required value'],
    ],
    [
      'a secret in no namespace',
      { azureFile: { secretName: 's', shareName: 'f', secretNamespace: '' } },
      ['spec.azureFile.secretNamespace: Required value'],
    ],
    [
      'a path that goes up',
      { local: { path: '/a/../b' }, nodeAffinity: onNode('a', 'b') },
      [`spec.local.path: Invalid value: "/a/../b": must not contain '..'`],
    ],
    [
      'a disk of any node',
      { local: { path: '/a' } },
      ['spec.nodeAffinity: Required value: Local volume requires node affinity'],
    ],
    [
      'StorageOS without a name',
      { storageos: { volumeName: '', secretRef: {} } },
      [
        'spec.storageos.volumeName: Required value',
        'spec.storageos.secretRef.name: Required value',
        'spec.storageos.secretRef.namespace: Required value',
      ],
    ],
    [
      'a driver with half a secret',
      csi({ nodeExpandSecretRef: { name: 's' }, volumeHandle: '' }),
      ['spec.csi.volumeHandle: Required value', 'spec.csi.nodeExpandSecretRef.namespace: Required value'],
    ],
    [
      'a portal with a long name',
      {
        iscsi: {
          targetPortal: 'p'.repeat(62),
          iqn: 'iqn.2015-02.example.com:test',
          lun: 1,
          initiatorName: 'iqn.2015-02.example.com:init',
        },
      },
      [expect.stringContaining('spec.iscsi.targetportal: Invalid value: "ppp')],
    ],
  ])('may not be %s', (_what, source, errors) => expect(errorsOf(handlers, volume(source))).toEqual(errors));
});

const at = '/data';

describe('a PersistentVolume', () => {
  it.each<[string, ApiObject, string[]]>([
    ['no access', volume({ hostPath: { path: at }, accessModes: [] }), ['spec.accessModes: Required value']],
    [
      'access that there is not',
      volume({ hostPath: { path: at }, accessModes: ['WriteOnly'] }),
      [
        'spec.accessModes: Unsupported value: "WriteOnly": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      ],
    ],
    [
      'the strictest access among others',
      volume({ hostPath: { path: at }, accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] }),
      ['spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes'],
    ],
    [
      'no size',
      volume({ hostPath: { path: at }, capacity: {} }),
      [
        'spec.capacity: Required value',
        'spec.capacity: Unsupported value: map[string]interface {}{}: supported values: "storage"',
      ],
    ],
    [
      'a size of nothing',
      volume({ hostPath: { path: at }, capacity: { storage: '0' } }),
      ['spec.capacity[storage]: Invalid value: "0": must be greater than zero'],
    ],
    [
      'a size of less than nothing',
      volume({ hostPath: { path: at }, capacity: { storage: '-1' } }),
      [
        'spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity',
        'spec.capacity[storage]: Invalid value: "-1": must be greater than zero',
      ],
    ],
    [
      'policies that there are not',
      volume({ hostPath: { path: at }, persistentVolumeReclaimPolicy: 'Burn' }),
      [
        'spec.persistentVolumeReclaimPolicy: Unsupported value: "Burn": supported values: "Delete", "Recycle", "Retain"',
      ],
    ],
    [
      'to have all of a node recycled',
      volume({ hostPath: { path: '/./' }, persistentVolumeReclaimPolicy: 'Recycle' }),
      [`spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'`],
    ],
    [
      'modes that there are not',
      volume({ hostPath: { path: at }, volumeMode: 'Tape' }),
      ['spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"'],
    ],
    [
      'nodes that are not named',
      volume({ hostPath: { path: at }, nodeAffinity: {} }),
      ['spec.nodeAffinity.required: Required value: must specify required node constraints'],
    ],
    [
      'classes that are no names',
      volume({ hostPath: { path: at }, storageClassName: 'a_b' }),
      [expect.stringContaining('spec.storageClassName: Invalid value: "a_b": a lowercase RFC 1123 subdomain')],
    ],
    [
      'mount options in an annotation where there is nothing to mount',
      volume(undefined, { annotations: { 'volume.beta.platform.io/mount-options': 'ro' } }),
      [
        'metadata.annotations.volume.beta.platform.io/mount-options: Forbidden: may not specify mount options for this volume type',
      ],
    ],
  ])('cannot have %s', (_what, object, errors) => expect(errorsOf(handlers, object)).toEqual(errors));

  it('may have mount options in an annotation if its source supports them', () => {
    const annotations = { 'volume.beta.platform.io/mount-options': 'ro' };
    expect(errorsOf(handlers, volume({ nfs: { server: 's', path: '/' } }, { annotations }))).toEqual([]);
  });

  it('is kept, and has a file system, and amounts no finer than a thousandth', () => {
    const object = volume();
    object.spec = { hostPath: { path: at }, capacity: { storage: '1500u' } };
    handlers.canonicalize?.(object);
    expect(object.spec).toEqual({
      hostPath: { path: at },
      capacity: { storage: '2m' },
      persistentVolumeReclaimPolicy: 'Retain',
      volumeMode: 'Filesystem',
    });
  });

  it('is not checked again in a status update', () => {
    const context = contextOf({ subresource: 'status' });
    expect(handlers.validate?.(volume({}), context)).toEqual([]);
    expect(handlers.validateUpdate?.(volume({}), volume(), context)).toEqual([]);
  });

  it('causes warnings about labels with newer names', () => {
    const nodeAffinity = onNode('beta.platform.io/arch', 'a');
    expect(handlers.warn?.(volume({ hostPath: { path: at }, nodeAffinity }), undefined)).toEqual([
      'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: beta.platform.io/arch is deprecated since v1.14; use "platform.io/arch" instead',
    ]);
  });
});

describe('an update of a PersistentVolume', () => {
  const old = 'failure-domain.beta.platform.io/zone';
  it.each<[string, JsonObject, JsonObject]>([
    ['another policy', { persistentVolumeReclaimPolicy: 'Delete' }, {}],
    ['a claim', { claimRef: { name: 'c', namespace: 'default' } }, {}],
    ['nodes that were not named', { nodeAffinity: onNode('zone', 'a') }, {}],
    [
      'newer names of the same labels',
      { nodeAffinity: onNode('topology.platform.io/zone', 'a') },
      { nodeAffinity: onNode(old, 'a') },
    ],
    [
      'newer names of some of its labels',
      { nodeAffinity: onNodes('topology.platform.io/zone', 'beta.platform.io/arch') },
      { nodeAffinity: onNodes(old, 'beta.platform.io/arch') },
    ],
  ])('accepts %s', (_what, now, before) => {
    const hostPath = { path: at };
    expect(changeErrorsOf(handlers, volume({ hostPath, ...now }), volume({ hostPath, ...before }))).toEqual([]);
  });

  it('accepts a secret for expansion once', () => {
    expect(changeErrorsOf(handlers, volume(csi({ controllerExpandSecretRef: secretRef })), volume(csi()))).toEqual([]);
    const other = { name: 't', namespace: 'default' };
    expect(
      changeErrorsOf(
        handlers,
        volume(csi({ controllerExpandSecretRef: other })),
        volume(csi({ controllerExpandSecretRef: secretRef })),
      ),
    ).toEqual([expect.stringContaining('spec.persistentvolumesource: Forbidden: ')]);
  });

  it.each<[string, JsonObject, JsonObject, string[]]>([
    [
      'another source',
      { hostPath: { path: '/other' } },
      {},
      [
        'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation\n- spec.hostPath.path: "/data"\n+ spec.hostPath.path: "/other"\n',
      ],
    ],
    ['another mode', { volumeMode: 'Block' }, {}, ['volumeMode: Invalid value: "Block": field is immutable']],
    [
      'other nodes',
      { nodeAffinity: onNode('zone', 'b') },
      { nodeAffinity: onNode('zone', 'a') },
      [expect.stringMatching(/^nodeAffinity: Invalid value: .*: field is immutable$/)],
    ],
    [
      'newer names of labels with other values',
      { nodeAffinity: onNode('topology.platform.io/zone', 'b') },
      { nodeAffinity: onNode(old, 'a') },
      [expect.stringMatching(/^nodeAffinity: Invalid value: .*: field is immutable$/)],
    ],
  ])('refuses %s', (_what, now, before, errors) => {
    const hostPath = { path: at };
    expect(changeErrorsOf(handlers, volume({ hostPath, ...now }), volume({ hostPath, ...before }))).toEqual(errors);
  });
});

describe('cells of a PersistentVolume', () => {
  const hostPath = { path: at };
  it.each<[string, ApiObject, string]>([
    ['Capacity', volume(), '1Gi'],
    ['Capacity', volume({ capacity: {} }), '0'],
    [
      'Access Modes',
      volume({ accessModes: ['ReadWriteOncePod', 'ReadOnlyMany', 'ReadWriteOnce', 'ReadOnlyMany'] }),
      'RWO,ROX,RWOP',
    ],
    ['Status', volume(), 'Pending'],
    ['Status', volume({ hostPath }, { deletionTimestamp: '2024-05-06T07:08:09Z' }), 'Terminating'],
    ['Claim', volume(), ''],
    ['Claim', volume({ hostPath, claimRef: { namespace: 'default', name: 'c' } }), 'default/c'],
    ['StorageClass', volume({ hostPath, storageClassName: 'fast' }), 'fast'],
    [
      'StorageClass',
      volume({ storageClassName: 'fast' }, { annotations: { 'volume.beta.platform.io/storage-class': 'slow' } }),
      'slow',
    ],
    ['VolumeMode', volume(), 'Filesystem'],
    ['VolumeMode', { ...volume(), spec: {} }, '<unset>'],
  ])('show in %s of %j: %s', (column, object, text) => expect(handlers.columns?.[column]?.(object, 0)).toBe(text));
});

describe('the class of volume attributes of a volume', () => {
  const named = (name: string) => ({ ...csi(), volumeAttributesClassName: name });

  it('is a name, and only for volumes of a driver', () => {
    expect(errorsOf(handlers, volume(named('fast')))).toEqual([]);
    expect(errorsOf(handlers, volume({ hostPath: { path: '/d', type: '' }, volumeAttributesClassName: '' }))).toEqual([
      'spec.volumeAttributesClassName: Required value: an empty string is disallowed',
      'spec.csi: Required value: has to be specified when using volumeAttributesClassName',
    ]);
  });

  it('may change, but not be removed', () => {
    expect(changeErrorsOf(handlers, volume(named('slow')), volume(named('fast')))).toEqual([]);
    expect(changeErrorsOf(handlers, volume(csi()), volume(named('fast')))).toEqual([
      'spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden',
    ]);
  });
});
