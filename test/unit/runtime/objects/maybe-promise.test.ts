/** A known value continues synchronously. */
import { describe, expect, it } from 'vitest';
import { thenSync } from '../../../../runtime/objects/turns.js';

describe('continuing with a value', () => {
  it('does not wait for a known value', () => {
    expect(thenSync(2, (value) => value + 1)).toBe(3);
    expect(() =>
      thenSync(2, () => {
        throw new Error('broken');
      }),
    ).toThrow('broken');
  });

  it('waits for promises, before and after', async () => {
    expect(await thenSync(Promise.resolve(2), (value) => value + 1)).toBe(3);
    expect(await thenSync(2, (value) => Promise.resolve(value + 1))).toBe(3);
    await expect(thenSync(Promise.reject(new Error('broken')), () => 1)).rejects.toThrow('broken');
  });
});
