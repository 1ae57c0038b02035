/** VolumeAttachment: source, names and bounds. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { platformNaming } from '../../../runtime/objects/naming.js';
import { defineVolumeAttachmentStrategy } from '../../../strategies/volume-attachment.js';
import { errorsOf, objectOf } from '../../support/field-errors.js';
import { testStrategy } from '../../support/strategy-suite.js';

const strategy = defineVolumeAttachmentStrategy(platformNaming);
const attachment = (spec: JsonObject, status: JsonObject = {}) =>
  objectOf('VolumeAttachment', {
    spec: { attacher: 'd.example.com', nodeName: 'n', source: { persistentVolumeName: 'v' }, ...spec },
    status,
  });

testStrategy({
  strategy,
  stored: attachment({}, { attached: true }),
  words: ['attacher', 'source', 'persistentVolumeName', 'inlineVolumeSpec', 'csi', 'attachError', 'message'],
  subresources: ['status'],
  columns: [],
});

describe('an attachment', () => {
  const inline = 'spec.source.inlineVolumeSpec';
  it.each([
    [
      { attacher: '' },
      {},
      ['spec.attacher: Required value', 'spec.attacher: Required value', 'spec.attacher: Invalid'],
    ],
    [{ source: {} }, {}, ['spec.source: Required value: must specify exactly one of']],
    [
      { source: { persistentVolumeName: 'v', inlineVolumeSpec: {} } },
      {},
      ['spec.source: Forbidden: must specify exactly'],
    ],
    [{ nodeName: 'No' }, {}, ['spec.nodeName: Invalid value: "No"']],
    [
      { source: { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], nfs: { server: 's', path: '/' } } } },
      {},
      [`${inline}.csi: Required value: has to be specified in the context of inline volumes`],
    ],
    [
      {},
      { attachError: { message: 'x'.repeat(1025) } },
      ['status.attachError.message: Too long: must have at most 262144 bytes'],
    ],
  ])('is refused with %j and %j', (spec, status, expected) => {
    const errors = errorsOf(strategy, attachment(spec, status));
    expect(errors).toHaveLength(expected.length);
    for (const [i, start] of expected.entries()) expect(errors[i]).toContain(start);
  });
});
