/** Labels that are cut out of stored bytes are those of the object. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storedLabels } from '../../../../runtime/registry/stored-labels.js';
import { encodeAnswer } from '../../../../runtime/resource/encoding.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import { widget, widgets } from '../../../support/widgets.js';

const resource = serveResource(widgets);
const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '}', 'labels', ':', 'é', '😀', '\n') });
const map = fc.dictionary(text, text, { noNullPrototype: true });

describe('the labels of stored bytes', () => {
  it('are those that decoding gives, whatever else the object has', () => {
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

  it('are none of bytes without metadata', () => {
    expect(storedLabels(Buffer.from('{"kind":"Widget"}'))).toEqual({});
  });
});
