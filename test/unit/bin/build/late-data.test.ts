/** What stands in for parts of modules in a build is read when it is asked for, and is that of the module's kind. */
import { describe, expect, it } from 'vitest';
import { lateFile, lateParts } from '../../../../bin/build/late-data.js';

interface Module {
  readonly name: string;
  readonly schema?: object;
}

const all = { 'g/v1/ones': { type: 'one' }, 'g/v1/others': { type: 'other' } };

describe('late parts of modules', () => {
  it('are those of the kind, read when one is first asked for', () => {
    let files = 0;
    const schema = lateFile(() => {
      files++;
      return all;
    });
    const [give, giveOthers] = [lateParts({ schema }), lateParts({ schema })];
    const one: Module = give('g/v1/ones', { name: 'ones' });
    const other: Module = giveOthers('g/v1/others', { name: 'others' });
    expect(files).toBe(0);
    expect([one.schema, other.schema, one.schema]).toEqual([{ type: 'one' }, { type: 'other' }, { type: 'one' }]);
    expect(one.schema).toBe(all['g/v1/ones']);
    expect(files).toBe(1);
    expect([one.name, other.name]).toEqual(['ones', 'others']);
  });

  it('are inherited from one object, so that V8 finds what modules have quickly', () => {
    const give = lateParts({ schema: () => all });
    const [one, other] = [give('g/v1/ones', { name: 'ones' }), give('g/v1/others', { name: 'others' })];
    expect(Object.getPrototypeOf(one)).toBe(Object.getPrototypeOf(other));
    expect(Object.keys(one)).toEqual(['name']);
  });

  it('say that the build is damaged where it has nothing of a kind', () => {
    const missing: Module = lateParts({ schema: () => all })('g/v1/missing', { name: 'missing' });
    expect(() => missing.schema).toThrow('the build is damaged: there is nothing of g/v1/missing');
  });
});
