/** Selectable attributes of objects that are in a store when it opens. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/names/naming.js';
import { attributeReader, storedLabels } from '../../../../runtime/registry/attribute-reader.js';
import { encodeAnswer } from '../../../../runtime/resource/encoding.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import { moduleOf } from '../../../support/modules.js';
import { widget, widgets } from '../../../support/widgets.js';

const object = widget('a', { color: 'red' }, { namespace: 'default', labels: { tier: 'web' } });

describe('attributes of stored objects', () => {
  const read = attributeReader([widgets], platformNaming);

  it('are labels and the fields of the resource in the key', () => {
    expect(read('example.com/widgets/default/a', object)).toEqual({
      labels: { tier: 'web' },
      fields: { 'spec.color': 'red' },
    });
  });

  it('are only labels for resources that are not served', () => {
    expect(read('other.com/widgets/default/a', object)).toEqual({ labels: { tier: 'web' }, fields: {} });
  });

  it('are empty for a value that is not an object', () => {
    expect(read('example.com/widgets/default/a', { kind: 'Widget' })).toEqual({ labels: {}, fields: {} });
  });

  it('are found under the names that are served', () => {
    const leases = { ...moduleOf('coordination.platform.io', 'leases', 'Lease'), selectableFields: ['spec.color'] };
    const renamed = attributeReader([leases], kubernetesNaming);
    expect(renamed('coordination.k8s.io/leases/default/a', object).fields).toEqual({ 'spec.color': 'red' });
    expect(renamed('coordination.platform.io/leases/default/a', object).fields).toEqual({});
  });

  it('are read in the version that objects are stored in, with the handlers of their kind', () => {
    const v2 = { ...widgets, version: 'v2', storage: false, selectableFields: ['spec.size'] };
    const handlers = [{ resource: widgets, selectableFields: { 'spec.color': () => 'chosen' } }];
    for (const modules of [
      [v2, widgets],
      [widgets, v2],
    ]) {
      const both = attributeReader(modules, platformNaming, handlers);
      expect(both('example.com/widgets/default/a', object).fields).toMatchObject({ 'spec.color': 'chosen' });
    }
  });
});

const resource = serveResource(widgets);
const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '}', 'labels', ':', 'é', '😀', '\n') });
const map = fc.dictionary(text, text, { noNullPrototype: true });

describe('the labels of stored bytes', () => {
  it('are the same as after decoding, whatever else the object has', () => {
    fc.assert(
      fc.property(fc.option(map, { nil: undefined }), map, text, (labels, annotations, color) => {
        const fieldsV1 = { 'f:metadata': { 'f:labels': { 'f:labels': {} } } };
        const managedFields = [{ manager: 'labels', operation: 'Update', fieldsV1 }];
        const metadata = { annotations, managedFields, ...(labels === undefined ? {} : { labels }) };
        const object = widget('a', { color, labels: { of: 'spec' } }, metadata);
        const bytes = Buffer.from(`${encodeAnswer(resource, object)}\n`);
        expect(storedLabels(bytes)).toEqual(labels ?? {});
      }),
    );
  });

  it('are empty for bytes without metadata', () => {
    expect(storedLabels(Buffer.from('{"kind":"Widget"}'))).toEqual({});
  });
});
