import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { restampBytes, stampRevision, toEncodedObject, updateDigest } from '../../../../runtime/storage/stamp.js';

function restamped(object: unknown, revision: number): unknown {
  return JSON.parse(Buffer.from(restampBytes(Buffer.from(JSON.stringify(object)), revision) ?? []).toString());
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

  it('finds the revision in stored bytes among similar texts', () => {
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

  it('does not copy bytes that have the revision', () => {
    const bytes = Buffer.from('{"metadata":{"resourceVersion":"8"}}');
    expect(restampBytes(bytes, 8)).toBe(bytes);
    expect(restampBytes(bytes, 88)).not.toBe(bytes);
  });

  it('finds no place for a revision in other objects', () => {
    for (const object of [{}, { metadata: {} }, { metadata: 'resourceVersion' }, { spec: { resourceVersion: '5' } }]) {
      const bytes = Buffer.from(JSON.stringify(object));
      expect(restampBytes(bytes, 8)).toBeUndefined();
      expect(toEncodedObject(bytes, attributes)).toBeUndefined();
    }
    const broken = Buffer.from('{"metadata":{"resourceVersion":"');
    expect(restampBytes(broken, 8)?.length).toBeGreaterThan(0);
    expect(restampBytes(new Uint8Array(0), 8)).toBeUndefined();
  });
});

const revisions = fc.uniqueArray(
  fc.maxSafeNat().map((number) => number + 1),
  { minLength: 1, maxLength: 30 },
);

function digestOf(live: readonly number[]): number {
  return live.reduce((digest, revision) => updateDigest(digest, revision, 0), 0);
}

describe('the digest of live revisions', () => {
  it('depends on the live revisions, not on their history', () => {
    fc.assert(
      fc.property(revisions, fc.nat(), (live, at) => {
        const shuffled = [...live].sort((a, b) => (a % 97) - (b % 97));
        expect(digestOf(shuffled)).toBe(digestOf(live));
        const gone = live[at % live.length] ?? 0;
        const rest = live.filter((revision) => revision !== gone);
        expect(updateDigest(digestOf(live), 0, gone)).toBe(digestOf(rest));
        expect(updateDigest(digestOf(live), 5, gone)).toBe(digestOf([...rest, 5]));
      }),
    );
  });

  it('distinguishes sets that differ in a revision', () => {
    fc.assert(
      fc.property(revisions, fc.nat(), (live, at) => {
        const rest = live.filter((_, index) => index !== at % live.length);
        expect(digestOf(rest)).not.toBe(digestOf(live));
      }),
      { numRuns: 1000 },
    );
    const all = new Set(Array.from({ length: 100_000 }, (_, index) => updateDigest(0, index + 1, 0)));
    expect(all.size).toBe(100_000);
  });

  it('is an unsigned number of 32 bits', () => {
    fc.assert(
      fc.property(revisions, (live) => {
        const digest = digestOf(live);
        expect(Number.isInteger(digest) && digest >= 0 && digest <= 0xffff_ffff).toBe(true);
      }),
    );
  });
});
