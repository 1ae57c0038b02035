import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { restampBytes, stampRevision, toEncodedObject } from '../../../../runtime/storage/stamp.js';

function restamped(object: unknown, revision: number): unknown {
  return JSON.parse(Buffer.from(restampBytes(Buffer.from(JSON.stringify(object)), revision)).toString());
}

const attributes = { labels: {}, fields: {} };

describe('stamping', () => {
  it('puts the digits in their place', () => {
    const object = {
      text: '{"metadata":{"resourceVersion":""}}',
      revisionAt: 32,
      attributes,
    };
    expect(stampRevision(object, 907)).toBe('{"metadata":{"resourceVersion":"907"}}');
  });

  it('finds the revision in stored bytes among anything that looks like it', () => {
    const decoy = { resourceVersion: '5', metadata: { resourceVersion: '5' } };
    const object = {
      resourceVersion: '5',
      before: [decoy, { metadata: [decoy] }],
      'a "metadata":{"resourceVersion":"5"}': 1,
      metadata: {
        name: '"resourceVersion":"5"\\',
        annotations: { resourceVersion: '5', metadata: '\\"}{' },
        ownerReferences: [decoy],
        resourceVersion: '5',
        labels: { resourceVersion: '5' },
      },
      spec: decoy,
    };
    const wanted = structuredClone(object);
    wanted.metadata.resourceVersion = '123456';
    expect(restamped(object, 123_456)).toEqual(wanted);
  });

  it('works on any object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (top, inner) => {
          const object = { ...top, metadata: { ...inner, resourceVersion: '7' } };
          const wanted = { ...object, metadata: { ...object.metadata, resourceVersion: '9007199254740991' } };
          expect(restamped(object, Number.MAX_SAFE_INTEGER)).toEqual(JSON.parse(JSON.stringify(wanted)));
          const bytes = Buffer.from(JSON.stringify(object));
          const encoded = toEncodedObject(bytes, attributes);
          expect(encoded && stampRevision(encoded, 7)).toBe(bytes.toString());
          expect(JSON.parse(encoded?.text ?? '').metadata.resourceVersion).toBe('');
        },
      ),
      { numRuns: 500 },
    );
  });

  it('leaves objects without a revision as they are', () => {
    for (const object of [{}, { metadata: {} }, { metadata: 'resourceVersion' }, { spec: { resourceVersion: '5' } }]) {
      expect(restamped(object, 8)).toEqual(object);
      expect(toEncodedObject(Buffer.from(JSON.stringify(object)), attributes)).toBeUndefined();
    }
    const broken = Buffer.from('{"metadata":{"resourceVersion":"');
    expect(restampBytes(broken, 8).length).toBeGreaterThan(0);
    expect(restampBytes(new Uint8Array(0), 8)).toHaveLength(0);
  });
});
