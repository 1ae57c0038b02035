/** Metadata cut out of stored bytes equals decoded metadata. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiObject, Entry } from '../../../../../runtime/contract/index.js';
import { encoderFor } from '../../../../../runtime/request/representation/encoders.js';
import type { Representation } from '../../../../../runtime/request/representation/representation.js';
import { transformFor } from '../../../../../runtime/request/representation/response-transforms.js';
import { cutMetadata, valueRepresentation } from '../../../../../runtime/request/representation/values.js';
import { encodeAnswer } from '../../../../../runtime/resource/encoding.js';
import { serveResource } from '../../../../../runtime/resource/serve-resource.js';
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

  it('is the same in a list of any length', () => {
    const pages = fc.record({
      count: fc.constantFrom(0, 1, 2, 700),
      color: text,
      continueToken: fc.constantFrom('', 'more'),
      remaining: fc.option(fc.nat(), { nil: undefined }),
    });
    fc.assert(
      fc.property(pages, ({ count, color, continueToken, remaining }) => {
        const entry = entryOf(widget('a', { color: color.padEnd(2000, 'x') }, { resourceVersion: '4' }));
        const page = {
          ...{ revision: 4, entries: Array.from({ length: count }, () => entry), repeated: false, selected: false },
          continueToken,
          ...(remaining === undefined ? {} : { remainingItemCount: remaining }),
        };
        const shown = (form: Representation): string => Buffer.concat([...form.list(resource, page)]).toString();
        expect(shown(cut)).toBe(shown(decoded));
      }),
      { numRuns: 30 },
    );
  });

  it('is decoded if an earlier version was stored', () => {
    const current = entryOf(widget('a', { color: 'red' }, { resourceVersion: '4' }));
    const outdated: Entry = { ...current, attributes: { ...current.attributes, outdated: true }, outdated: true };
    const shown = Buffer.from(cut.entry(resource, outdated)).toString();
    expect(shown).toBe(Buffer.from(decoded.entry(resource, outdated)).toString());
    const page = { revision: 4, entries: [current, outdated], repeated: false, selected: false, continueToken: '' };
    const list = (form: Representation): string => Buffer.concat([...form.list(resource, page)]).toString();
    expect(list(cut)).toBe(list(decoded));
  });
});
