/** Selectable fields of a version, as paths of the stored one. */
import { describe, expect, it } from 'vitest';
import { storedFieldOf } from '../../../../runtime/resource/other-versions.js';
import { defineConversion } from '../../../../runtime/schema/index.js';

const steps = defineConversion([
  { move: { field: 'regarding', stored: 'involvedObject' } },
  { move: { field: 'spec.a', stored: 'spec.b.c' } },
]);
const conversion = {
  toStored: (object: Parameters<typeof steps.toStored>[0]) => steps.toStored(object, (name) => name),
};

describe('a selectable field', () => {
  it.each([
    ['regarding.name', 'involvedObject.name'],
    ['spec.a', 'spec.b.c'],
    ['reason', 'reason'],
  ])('%s is %s', (path, found) => {
    expect(storedFieldOf(path, conversion)).toBe(found);
  });

  it('keeps its path without a conversion', () => {
    expect(storedFieldOf('regarding.name', undefined)).toBe('regarding.name');
  });
});
