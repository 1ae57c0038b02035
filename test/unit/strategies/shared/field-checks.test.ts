import { describe, expect, it } from 'vitest';
import { changedPaths } from '../../../../strategies/shared/field-checks.js';

describe('differences between two values', () => {
  it('are shown with their paths, the old value before the new one', () =>
    expect(changedPaths({ a: { b: 1 }, c: [1] }, { a: { b: 2 }, c: [1, 'x'] }, 'spec')).toBe(
      '- spec.a.b: 2\n+ spec.a.b: 1\n- spec.c[1]: "x"\n',
    ));

  it('include keys that are named like members of every object', () => {
    const keys = ['toString', 'constructor', 'hasOwnProperty', 'valueOf', '__proto__'];
    for (const key of keys) {
      const value = JSON.parse(`{${JSON.stringify(key)}: 1}`);
      expect(changedPaths(value, {}, 'spec')).toBe(`+ spec.${key}: 1\n`);
      expect(changedPaths({}, value, 'spec')).toBe(`- spec.${key}: 1\n`);
    }
  });
});
