/** Field numbers never change once they are given, and generation refuses changes that would break clients. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importReference } from '../../../../generator/lock/import-reference.js';
import {
  emptyLock,
  numberFields,
  type ProtobufLock,
  printLock,
  protobufSchema,
  readLock,
} from '../../../../generator/lock/lock.js';
import { readLockFile } from '../../../../generator/lock/lock-store.js';
import type { PlannedMessage } from '../../../../generator/lock/plan.js';
import { planModel } from '../../../../generator/lock/plan-model.js';
import { builtInDefinitions } from '../../../support/built-in-definitions.js';

const message = (id: string, fields: Record<string, string>): PlannedMessage => ({
  id,
  structural: false,
  fields: Object.entries(fields).map(([name, type]) => ({ name, type })),
});

const lockOf = (...messages: PlannedMessage[]): ProtobufLock => numberFields(emptyLock, messages).lock;

const numbersOf = (lock: ProtobufLock, id: string): Record<string, number> =>
  Object.fromEntries([...(lock.get(id)?.fields ?? [])].map(([name, [number]]) => [name, number]));

describe('numberFields', () => {
  const first = lockOf(message('a#/A', { one: 'string', two: 'bool' }));

  it('numbers fields in their order', () => {
    expect(numbersOf(first, 'a#/A')).toEqual({ one: 1, two: 2 });
  });

  it('keeps numbers when fields come between, and returns the same lock when none do', () => {
    const next = numberFields(first, [message('a#/A', { zero: 'string', one: 'string', two: 'bool' })]);
    expect(numbersOf(next.lock, 'a#/A')).toEqual({ one: 1, two: 2, zero: 3 });
    expect(numberFields(next.lock, [message('a#/A', { zero: 'string', one: 'string', two: 'bool' })]).lock).toBe(
      next.lock,
    );
  });

  it('never gives the number of a removed field to another', () => {
    const without = numberFields(first, [message('a#/A', { one: 'string' })]).lock;
    expect(without.get('a#/A')?.reserved).toEqual([{ name: 'two', number: 2, type: 'bool' }]);
    const other = numberFields(without, [message('a#/A', { one: 'string', three: 'bool' })]).lock;
    expect(numbersOf(other, 'a#/A')).toEqual({ one: 1, three: 3 });
    const changed = numberFields(other, [message('a#/A', { one: 'string', two: 'int64', three: 'bool' })]).lock;
    expect(numbersOf(changed, 'a#/A')).toEqual({ one: 1, three: 3, two: 4 });
  });

  it('gives a field that returns unchanged its old number', () => {
    const without = numberFields(first, [message('a#/A', { one: 'string' })]).lock;
    const back = numberFields(without, [message('a#/A', { one: 'string', two: 'bool' })]).lock;
    expect(numbersOf(back, 'a#/A')).toEqual({ one: 1, two: 2 });
    expect(back.get('a#/A')?.reserved).toEqual([]);
  });

  it('refuses another type', () => {
    const { broken } = numberFields(first, [message('a#/A', { one: 'string', two: 'repeated bool' })]);
    expect(broken).toEqual([{ message: 'a#/A', field: 'two', number: 2, was: 'bool', becomes: 'repeated bool' }]);
  });

  it('lets integers become wider, not narrower', () => {
    const narrow = lockOf(message('a#/A', { n: 'int32' }));
    expect(numberFields(narrow, [message('a#/A', { n: 'int64' })]).broken).toEqual([]);
    const wide = lockOf(message('a#/A', { n: 'int64' }));
    expect(numberFields(wide, [message('a#/A', { n: 'int32' })]).broken).toHaveLength(1);
  });

  it('accepts a new name for a message, which keeps its numbers', () => {
    const lock = lockOf(message('a#/A', { spec: 'a#/A.spec' }), message('a#/A.spec', { x: 'string', y: 'string' }));
    const named = [
      message('a#/A', { spec: 'lib#/Spec' }),
      message('lib#/Spec', { y: 'string', z: 'bool', x: 'string' }),
    ];
    const { lock: next, broken } = numberFields(lock, named);
    expect(broken).toEqual([]);
    expect(numbersOf(next, 'lib#/Spec')).toEqual({ x: 1, y: 2, z: 3 });
  });

  it('refuses to put a message in place of one with other numbers', () => {
    const lock = lockOf(
      message('a#/A', { spec: 'a#/A.spec' }),
      message('a#/A.spec', { x: 'string', y: 'string' }),
      message('lib#/Spec', { y: 'string', x: 'string' }),
    );
    expect(numberFields(lock, [message('a#/A', { spec: 'lib#/Spec' })]).broken).toHaveLength(1);
  });

  it('knows the messages that all APIs share', () => {
    const condition = message('meta/v1#/Condition', {
      message: 'string',
      type: 'string',
      status: 'string',
      observedGeneration: 'int64',
      lastTransitionTime: 'meta/v1#/Time',
      reason: 'string',
    });
    expect(numberFields(emptyLock, [condition]).lock).toBe(emptyLock);
    const more = { ...condition, fields: [...condition.fields, { name: 'extra', type: 'string' }] };
    expect(numbersOf(numberFields(emptyLock, [more]).lock, 'meta/v1#/Condition')).toMatchObject({ type: 1, extra: 7 });
  });

  it('skips the numbers that protobuf reserves', () => {
    const { lock } = readLock('{"messages":{"a#/A":{"fields":{"x":[18999,"string"]}}}}');
    const next = numberFields(lock, [message('a#/A', { x: 'string', y: 'string' })]).lock;
    expect(numbersOf(next, 'a#/A')).toEqual({ x: 18999, y: 20000 });
  });

  it('keeps its numbers through any history of definitions', () => {
    const types = ['string', 'bool', 'repeated string'];
    const definition = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constantFrom(...types));
    fc.assert(
      fc.property(fc.array(definition, { minLength: 1, maxLength: 12 }), (history) => {
        const meaning = new Map<number, string>();
        let lock = emptyLock;
        for (const fields of history) {
          const { lock: next, broken } = numberFields(lock, [message('a#/A', fields)]);
          lock = readLock(printLock(next)).lock;
          const refused = new Set(broken.map(({ field }) => field));
          const entries = lock.get('a#/A')?.fields ?? new Map();
          expect(new Set(entries.keys())).toEqual(new Set(Object.keys(fields)));
          for (const [name, [number, type]] of entries) {
            if (!refused.has(name)) expect(type).toBe(fields[name]);
            const is = `${name} ${type}`;
            expect(meaning.get(number) ?? is).toBe(is);
            meaning.set(number, is);
          }
        }
      }),
    );
  });
});

describe('the file', () => {
  it('reads back as it was printed', () => {
    const lock = numberFields(lockOf(message('a#/A', { x: 'string', y: 'map json' })), [
      message('a#/A', { x: 'string', __proto__x: 'a#/B' }),
      message('a#/B', {}),
    ]).lock;
    const { lock: read, problems } = readLock(printLock(lock));
    expect(problems).toEqual([]);
    expect(printLock(read)).toBe(printLock(lock));
    expect(read.get('a#/A')?.reserved).toEqual([{ name: 'y', number: 2, type: 'map json' }]);
  });

  it('is reported with the line of each mistake', () => {
    const text = printLock(lockOf(message('a#/A', { x: 'string', y: 'bool', z: 'bool' })))
      .replace('"y": [2', '"y": [1')
      .replace('"z": [3, "bool"]', '"z": [0, "bool"]');
    expect(readLock(text).problems).toEqual([
      { line: 4, message: 'a#/A: fields x and y have the same number 1' },
      { line: 4, message: 'a#/A: field z is not [number, type]' },
    ]);
    expect(readLock('{').problems[0]?.message).toMatch(/^not JSON/);
  });

  it.each(['null', '[]', '{"messages":3}', '{"messages":{"a":null}}', '{"messages":{"a":{"reserved":[1,[2]]}}}'])(
    'may hold anything: %s',
    (text) => {
      expect(() => readLock(text)).not.toThrow();
    },
  );
});

describe('protobufSchema', () => {
  it('includes the messages that a message refers to', () => {
    const lock = lockOf(
      message('a#/A', { list: 'repeated a#/B', meta: 'meta/v1#/ObjectMeta' }),
      message('a#/B', { again: 'map a#/A' }),
      message('a#/C', {}),
    );
    expect(protobufSchema('a#/A', lock)).toEqual({
      message: 'a#/A',
      messages: {
        'a#/A': { list: [1, 'repeated a#/B'], meta: [2, 'meta/v1#/ObjectMeta'] },
        'a#/B': { again: [1, 'map a#/A'] },
      },
    });
  });
});

const schemas = fileURLToPath(new URL('../../../../schemas/', import.meta.url));
const reference = new URL('../../../../../shared/reference/protobuf-1.27.json', import.meta.url);
const lastReference = new URL('../../../../../shared/reference/protobuf-1.36.json', import.meta.url);

/** Fields that only a release between the two had, with its numbers. */
const between = new Map([['core/v1#/PodSpec', ['workloadRef']]]);

/** Fields that still differ from the last release. This list may only shrink. */
const missing = new Map([
  // The reference calls these fields `Name` in protobuf only.
  ['admissionregistration/v1#/Variable', ['name']],
  ['admissionregistration/v1alpha1#/Variable', ['name']],
  ['admissionregistration/v1beta1#/Variable', ['name']],
  // Claims of volumes refer to the resources of containers here, and to a type of their own in the reference.
  ['core/v1#/ResourceClaim', ['request']],
]);

describe.skipIf(!existsSync(reference) || !existsSync(schemas))("the project's own lock", () => {
  it("has the reference's numbers, and all of them", () => {
    const versions = planModel(builtInDefinitions().model);
    const first = importReference(emptyLock, versions, JSON.parse(readFileSync(reference, 'utf8')));
    const last = importReference(emptyLock, versions, JSON.parse(readFileSync(lastReference, 'utf8')));
    const { lock, problems } = readLockFile(schemas);
    expect(problems).toEqual([]);
    expect(first.size).toBeGreaterThan(20);
    for (const id of new Set([...first.keys(), ...last.keys()])) {
      const known = new Map([...(first.get(id)?.fields ?? []), ...(last.get(id)?.fields ?? [])]);
      const odd = new Set([...(between.get(id) ?? []), ...(missing.get(id) ?? [])]);
      const found = [...(lock.get(id)?.fields ?? [])].filter(([name]) => !odd.has(name));
      const expected = [...known].filter(([name]) => !odd.has(name));
      expect(Object.fromEntries(found), id).toEqual(Object.fromEntries(expected));
    }
    expect(
      numberFields(
        lock,
        versions.flatMap(({ messages }) => messages),
      ).lock,
    ).toBe(lock);
  });
});
