/** Each attempt of a write reads for itself. */
import { expect, it } from 'vitest';
import { fresh } from '../../../../runtime/write/run.js';

it('reads again only for attempts after the first', () => {
  let readings = 0;
  const read = (): { at: number } => ({ at: ++readings });
  const take = fresh(read(), read);
  const first = take();
  expect(first).toEqual({ at: 1 });
  expect(readings).toBe(1);
  expect([take(), take()]).toEqual([{ at: 2 }, { at: 3 }]);
});

it('returns no value twice, not even undefined', () => {
  const take = fresh<string | undefined>(undefined, () => 'again');
  expect([take(), take()]).toEqual([undefined, 'again']);
});
