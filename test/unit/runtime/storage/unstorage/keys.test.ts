/** Objects survive drivers that change keys and values: none collide, and none come back changed. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../../../runtime/storage/index.js';
import { keyProblem } from '../../../../../runtime/storage/keys.js';
import { nameOf, parseName, type SegmentName } from '../../../../../runtime/storage/unstorage/segment-names.js';
import { commit, contentOf, listed, readAttributes } from '../../../../support/store-objects.js';
import { type StartedDriver, testedDrivers } from '../../../../support/unstorage-drivers.js';

/** Keys that some driver confuses with another, ignores, or reads as a path out of its folder. */
const TRICKY = [
  ...['a/b:c', 'a:b/c', 'a/b/c', 'a:b:c', 'a\\b\\c', 'a//b/c', 'a/b?c', 'a/b', 'A/B', 'a/b$', 'a/b.', 'a/b '],
  ...['123', '0x10', 'true', 'null', '..', '../x', './x', 'x/../y', '%2e%2e', '*', '[a]', 'owner', 'kindforge:owner'],
  ...['segments:1-1-0123456789abcdef-1', '\u0000', '\u{1f600}', 'ä', 'a\u0308', '__proto__', 'constructor'],
];
const VALUES = ['123', 'true', 'null', '{"a":1}', 'base64:AAAA', '', '\u0000\u00ff\u{1f600}'];

const keys = fc
  .uniqueArray(fc.oneof(fc.constantFrom(...TRICKY), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })), {
    minLength: 2,
    maxLength: 12,
  })
  .map((some) => some.filter((key) => keyProblem(key) === undefined));

for (const { name, isThere, start } of testedDrivers) {
  describe.runIf(isThere)(`keys and values on ${name}`, () => {
    let started: StartedDriver;
    beforeAll(async () => {
      started = await start();
    });
    afterAll(() => started.stop());

    it('come back unchanged, each by itself', async () => {
      const everything = TRICKY.filter((key) => keyProblem(key) === undefined);
      await fc.assert(
        fc.asyncProperty(keys, fc.constantFrom(...VALUES), async (some, value) => {
          const { create, dispose } = await started.harness();
          const store = await openStore({ backend: await create(), readAttributes });
          for (const key of some) await commit(store, key, 0, `${value}${key}`);
          await store.close();
          const again = await openStore({ backend: await create(), readAttributes });
          const found = listed(again, '').entries.map((entry) => [entry.key, contentOf(entry)]);
          expect(new Map(found.map(([key = '', content]) => [key, content]))).toEqual(
            new Map(some.map((key) => [key, `${value}${key}`])),
          );
          await again.close();
          await dispose();
        }),
        { numRuns: 8, examples: [[everything, '123']] },
      );
    });
  });
}

const number = fc.maxSafeNat().map((value) => value % 1e15);
const names: fc.Arbitrary<SegmentName> = fc.record({
  id: number,
  epoch: number,
  token: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 16, maxLength: 16 }),
  attempt: number,
});

describe('the names of segments', () => {
  it('are read back, so that no two are alike', () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(parseName(nameOf(name))).toEqual(name);
      }),
    );
  });

  it('have only characters that every driver keeps', () => {
    fc.assert(fc.property(names, (name) => /^segments:[0-9a-f-]+$/.test(nameOf(name))));
  });

  it('are distinguished from all other keys', () => {
    const token = '0123456789abcdef';
    for (const text of [
      '',
      'segments:',
      `segments:01-1-${token}-1`,
      `segments:1-1-${token}-`,
      `segments:1-1-${token.toUpperCase()}-1`,
      `segments:1-1-${token}0-1`,
      `segments:-1-1-${token}-1`,
      `segments:1234567890123456-1-${token}-1`,
      `x:segments:1-1-${token}-1`,
    ]) {
      expect(parseName(text), text).toBeUndefined();
    }
  });
});
