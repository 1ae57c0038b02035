import { describe, expect, test } from 'vitest';
import { withoutBookkeeping, writerOf } from '../../../../../packages/console/src/pages/object/revision.js';

const entry = (manager: string, time: string, ...fields: string[]) => ({
  ...{ manager, time, operation: 'Update' as const, apiVersion: 'v1', fieldsType: 'FieldsV1' as const },
  fieldsV1: Object.fromEntries(fields.map((field) => [field, {}])),
});
const written = (...managedFields: ReturnType<typeof entry>[]) => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a', resourceVersion: '7', generation: 2, managedFields },
});

describe('writerOf', () => {
  const first = written(entry('maker', '1', 'f:a', 'f:b'));

  test.each([
    [
      'the one with a new entry, not the one that lost a field to it',
      [entry('maker', '1', 'f:a'), entry('new', '1', 'f:b')],
      'new',
    ],
    ['the one with a new time', [entry('idle', '0', 'f:c'), entry('maker', '2', 'f:a')], 'maker'],
    ['the one with other fields, in the same second', [entry('maker', '1', 'f:a', 'f:b', 'f:c')], 'maker'],
    ['the one that wrote last, if nothing differs', [entry('maker', '1', 'f:a', 'f:b')], 'maker'],
    ['nobody, if the server does not say', [], ''],
  ])('returns %s', (_, managedFields, writer) => {
    const before = {
      ...first,
      metadata: { ...first.metadata, managedFields: [entry('idle', '0', 'f:c'), ...first.metadata.managedFields] },
    };
    expect(writerOf(written(...managedFields), before)).toBe(writer);
  });

  test('returns the one that wrote last if there is no earlier revision', () => {
    expect(writerOf(written(entry('one', '1', 'f:a'), entry('two', '2', 'f:b')))).toBe('two');
  });
});

test('withoutBookkeeping leaves out fields that differ in each revision', () => {
  expect(withoutBookkeeping(written(entry('maker', '1')))).toEqual({
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name: 'a' },
  });
  expect(withoutBookkeeping(undefined)).toBeUndefined();
});
