/** Metadata that is cut out of stored bytes is that which decoding gives. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transform } from '../../../../../runtime/codec/negotiation.js';
import type { ApiObject, Entry, JsonValue } from '../../../../../runtime/contract/index.js';
import { serveResource } from '../../../../../runtime/pipeline/resource/serve-resource.js';
import { encodeAnswer } from '../../../../../runtime/pipeline/versions/encoding.js';
import { encoderFor } from '../../../../../runtime/verbs/representation/encoders.js';
import type { Representation } from '../../../../../runtime/verbs/representation/representation.js';
import { transformFor } from '../../../../../runtime/verbs/representation/response-transforms.js';
import { cutMetadata } from '../../../../../runtime/verbs/representation/stored-metadata.js';
import { valueRepresentation } from '../../../../../runtime/verbs/representation/values.js';
import { verbRequest } from '../../../../support/verb-requests.js';
import { widget, widgets } from '../../../../support/widgets.js';

const resource = serveResource(widgets);
const wanted = { kind: 'PartialObjectMetadata', group: 'meta.platform.io', version: 'v1' } as const;

/** The form that is made of decoded objects, and the one that is cut. */
function formsOf(asked: Transform): { readonly decoded: Representation; readonly cut: Representation } {
  const transform = transformFor(verbRequest({ resource }), asked, 'object');
  if (!transform.ok) throw new Error(transform.failure.message);
  const decoded = valueRepresentation(transform.value, encoderFor('application/json', false));
  return { decoded, cut: cutMetadata(decoded, asked) };
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

const entryOf = (object: ApiObject): Entry => ({
  key: 'k',
  revision: 4,
  bytes: Buffer.from(encodeAnswer(resource, object)),
  attributes: { labels: {}, fields: {} },
});

const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '}', '[', ']', 'é', '😀', '\n', ':') });

/** As clients send them, and as others cannot be told from by their first letters. */
const records = fc.constantFrom<JsonValue | undefined>(
  undefined,
  [],
  [
    { manager: '",managedFields":[', operation: 'Apply', fieldsV1: { 'f:metadata': { 'k:{"a":"]"}': {} } } },
    { manager: 'b', operation: 'Update' },
  ],
);

describe('the metadata of a stored object', () => {
  it.each<Transform>([wanted, { ...wanted, omitsManagers: true }])(
    'is the same, byte for byte, as when the object is decoded: %j',
    (asked) => {
      const { decoded, cut } = formsOf(asked);
      const annotations = fc.dictionary(text, text);
      const owners = fc.array(fc.record({ name: text, controller: fc.boolean() }));
      fc.assert(
        fc.property(annotations, owners, records, text, (known, ownerReferences, managedFields, color) => {
          const meta = { annotations: known, ...(managedFields && { managedFields }), ownerReferences };
          const entry = entryOf(widget('a', { color }, { ...meta, resourceVersion: '4' }));
          expect(textOf(cut.entry(resource, entry))).toBe(textOf(decoded.entry(resource, entry)));
          expect(textOf(cut.event(resource, entry, false))).toBe(textOf(decoded.event(resource, entry, false)));
        }),
      );
    },
  );

  it('comes without the records of field managers where these are not wanted', () => {
    const managedFields = [{ manager: 'a', operation: 'Update' }];
    const entry = entryOf(widget('a', { color: 'red' }, { managedFields, resourceVersion: '4' }));
    const shown = (asked: Transform) => JSON.parse(textOf(formsOf(asked).cut.entry(resource, entry))).metadata;
    expect(shown(wanted)).toMatchObject({ name: 'a', managedFields });
    expect(shown({ ...wanted, omitsManagers: true })).toEqual({ name: 'a', resourceVersion: '4' });
  });

  it('is decoded where an earlier version was stored', () => {
    const { decoded, cut } = formsOf(wanted);
    const { attributes, ...entry } = entryOf(widget('a', { color: 'red' }, { resourceVersion: '4' }));
    const outdated: Entry = { ...entry, attributes: { ...attributes, outdated: true } };
    expect(textOf(cut.entry(resource, outdated))).toBe(textOf(decoded.entry(resource, outdated)));
  });
});
