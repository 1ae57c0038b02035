import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineVolumeAttachments } from '../../../../strategies/storage.platform.io/volumeattachments.js';
import { errorsOf } from '../../../support/field-errors.js';
import { storedLike } from '../../../support/stored-objects.js';

const handlers = defineVolumeAttachments(platformNaming);

const attachment = (spec: JsonObject = {}, status: JsonObject = { attached: false }): ApiObject =>
  storedLike(handlers, { spec, status });

const csi = { driver: 'disks.example.com', volumeHandle: 'h' };
const inline = (more: JsonObject = {}): JsonObject => ({
  source: { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], csi, ...more } },
});

const fresh = (object: ApiObject): ApiObject => ({ ...object, metadata: { name: 'a1' } });
const at = 'spec.source.inlineVolumeSpec';

describe('a VolumeAttachment', () => {
  it.each<[string, ApiObject]>([
    ['a volume by its name', attachment()],
    ['a volume of a driver', attachment(inline())],
    ['a report of a driver', attachment({}, { attached: true, attachmentMetadata: { a: 'b' }, attachError: {} })],
    ['drivers of earlier versions', attachment({ attacher: 'a_b' })],
  ])('accepts %s', (_what, object) => expect(errorsOf(handlers, object)).toEqual([]));

  it.each<[string, ApiObject, string[]]>([
    [
      'no volume',
      attachment({ source: {} }),
      ['spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName'],
    ],
    [
      'two volumes',
      attachment({ source: { persistentVolumeName: 'v1', inlineVolumeSpec: {} } }),
      ['spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName'],
    ],
    [
      'a volume without a name',
      attachment({ source: { persistentVolumeName: '' } }),
      ['spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName'],
    ],
    ['no driver', attachment({ attacher: '' }), ['spec.attacher: Required value']],
    [
      'new drivers that are no names',
      fresh(attachment({ attacher: 'a_b' })),
      [expect.stringContaining('spec.attacher: Invalid value: "a_b": a lowercase RFC 1123 subdomain')],
    ],
    [
      'new volumes that are no names',
      fresh(attachment({ source: { persistentVolumeName: 'a_b' } })),
      [expect.stringContaining('spec.source.persistentVolumeName: Invalid value: "a_b"')],
    ],
    [
      'no node',
      attachment({ nodeName: '' }),
      [expect.stringContaining('spec.nodeName: Invalid value: "": a lowercase RFC 1123 subdomain')],
    ],
    [
      'messages that are too long',
      attachment({}, { attached: false, detachError: { message: 'x'.repeat(1025) } }),
      ['status.detachError.message: Too long: must have at most 262144 bytes'],
    ],
    [
      'metadata that is too long',
      attachment({}, { attached: false, attachmentMetadata: { a: 'x'.repeat(262_144) } }),
      ['status.attachmentMetadata: Too long: must have at most 262144 bytes'],
    ],
    [
      'volumes that a pod describes like those of a cluster',
      attachment(
        inline({
          capacity: { storage: '1Gi' },
          claimRef: { name: 'c' },
          nodeAffinity: {},
          persistentVolumeReclaimPolicy: 'Delete',
          storageClassName: 'fast',
          volumeMode: 'Block',
        }),
      ),
      [
        `${at}.claimRef: Forbidden: may not be specified in the context of inline volumes`,
        `${at}.capacity: Forbidden: may not be specified in the context of inline volumes`,
        `${at}.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes`,
        `${at}.nodeAffinity: Forbidden: may not be specified in the context of inline volumes`,
        `${at}.storageClassName: Forbidden: may not be specified in the context of inline volumes`,
        `${at}.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes`,
      ],
    ],
    [
      'volumes without a driver',
      attachment({ source: { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], nfs: { server: 's', path: '/' } } } }),
      [`${at}.csi: Required value: has to be specified in the context of inline volumes`],
    ],
  ])('refuses %s', (_what, object, errors) => expect(errorsOf(handlers, object)).toEqual(errors));
});
