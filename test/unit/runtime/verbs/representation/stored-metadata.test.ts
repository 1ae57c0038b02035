/** Metadata that is cut out of stored bytes is that which decoding gives. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiObject, Entry } from '../../../../../runtime/contract/index.js';
import { serveResource } from '../../../../../runtime/pipeline/resource/serve-resource.js';
import { encodeAnswer } from '../../../../../runtime/pipeline/versions/encoding.js';
import { encoderFor } from '../../../../../runtime/verbs/representation/encoders.js';
import { transformFor } from '../../../../../runtime/verbs/representation/response-transforms.js';
import { cutMetadata } from '../../../../../runtime/verbs/representation/stored-metadata.js';
import { valueRepresentation } from '../../../../../runtime/verbs/representation/values.js';
import { verbRequest } from '../../../../support/verb-requests.js';
import { widget, widgets } from '../../../../support/widgets.js';

const resource = serveResource(widgets);
const wanted = { kind: 'PartialObjectMetadata', group: 'meta.platform.io', version: 'v1' } as const;
const transform = transformFor(verbRequest({ resource }), wanted, 'object');
if (!transform.ok) throw new Error(transform.failure.message);
const decoded = valueRepresentation(transform.value, encoderFor('application/json', false));
const cut = cutMetadata(decoded, 'meta.platform.io/v1');

const entryOf = (object: ApiObject): Entry => ({
  key: 'k',
  revision: 4,
  bytes: Buffer.from(encodeAnswer(resource, object)),
  attributes: { labels: {}, fields: {} },
});

const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '}', '[', ']', 'é', '😀', '\n', ':') });

describe('the metadata of a stored object', () => {
  it('is the same, byte for byte, as when the object is decoded', () => {
    const annotations = fc.dictionary(text, text);
    const owners = fc.array(fc.record({ name: text, controller: fc.boolean() }));
    fc.assert(
      fc.property(annotations, owners, text, (known, ownerReferences, color) => {
        const entry = entryOf(widget('a', { color }, { annotations: known, ownerReferences, resourceVersion: '4' }));
        for (const show of ['entry', 'event'] as const) {
          const shown = Buffer.from(cut[show](resource, entry, false)).toString();
          expect(shown).toBe(Buffer.from(decoded[show](resource, entry, false)).toString());
        }
      }),
    );
  });

  it('is decoded where an earlier version was stored', () => {
    const { attributes, ...entry } = entryOf(widget('a', { color: 'red' }, { resourceVersion: '4' }));
    const outdated: Entry = { ...entry, attributes: { ...attributes, outdated: true } };
    const shown = Buffer.from(cut.entry(resource, outdated)).toString();
    expect(shown).toBe(Buffer.from(decoded.entry(resource, outdated)).toString());
  });
});
