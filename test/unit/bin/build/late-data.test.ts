/** What stands in for the tables of kinds in a build is read when it is asked for, and is that of the kind. */
import { describe, expect, it } from 'vitest';
import { lateData } from '../../../../bin/build/late-data.js';

describe('data of late kinds', () => {
  it('is that of the kind, read when it is first asked for', () => {
    let files = 0;
    const all = { 'g/v1/ones': { type: 'one' }, 'g/v1/others': { type: 'other' } };
    const data = lateData('g/v1/others', () => {
      files++;
      return all;
    });
    expect(files).toBe(0);
    expect(data()).toBe(all['g/v1/others']);
    expect(data()).toBe(all['g/v1/others']);
    expect(files).toBe(1);
  });

  it('says that the build is damaged where it has nothing of a kind', () => {
    const data = lateData<object>('g/v1/missing', () => ({ 'g/v1/ones': {} }));
    expect(data).toThrow('the build is damaged: there is nothing of g/v1/missing');
  });
});
