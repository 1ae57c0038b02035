/** Values that come as promises, and stay in their order. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { InOrder } from '../../../../../runtime/storage/shared/decryption.js';

it('takes values in their order, even if it must wait for some', async () => {
  const taken: number[] = [];
  const failed: unknown[] = [];
  const values = new InOrder<number>(
    (value) => {
      if (value === 4) throw new Error('four');
      taken.push(value);
    },
    (error) => failed.push(String(error)),
  );
  values.add(1);
  expect(taken).toEqual([1]);
  values.add(sleep(5, 2));
  values.add(3);
  values.add(Promise.resolve(4));
  values.add(Promise.reject(new Error('five')));
  values.add(6);
  expect(taken).toEqual([1]);
  await sleep(20);
  expect(taken).toEqual([1, 2, 3, 6]);
  expect(failed).toEqual(['Error: four', 'Error: five']);
  values.add(7);
  expect(taken.at(-1)).toBe(7);
});
