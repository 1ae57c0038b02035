/** Reads that must be current share a question to the driver, and none relies on an earlier question. */
import { describe, expect, it } from 'vitest';
import { BriefMap } from '../../../../../runtime/storage/brief-map.js';
import { Replica } from '../../../../../runtime/storage/memory/replica.js';
import { Confirmations } from '../../../../../runtime/storage/shared/confirmations.js';
import { Mirror } from '../../../../../runtime/storage/shared/mirror.js';
import { OtherWriters } from '../../../../../runtime/storage/shared/other-writers.js';
import { readAttributes } from '../../../../support/store-objects.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Makes confirmations over a driver that answers when the test calls it, with one more revision each time. */
function fixture() {
  const replica = new Replica({ historyWindowMs: 1000, historyMaxBytes: 1000, now: () => 0 }, 0);
  const answers: (() => void)[] = [];
  let number = 10;
  const driver = {
    name: 'the driver',
    load: async () => ({ number: 0, head: 0, revision: 0 }),
    follow: () => () => {},
    look: async () => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return { number: ++number, head: 0 };
    },
  };
  const others = new OtherWriters('self');
  const mirror = new Mirror({ driver, replica, readAttributes, pending: new BriefMap(), others });
  const confirmations = new Confirmations(driver, replica, mirror);
  const ask = async () => {
    expect(await confirmations.confirm()).toBeUndefined();
    return replica.revision;
  };
  return { ask, answers };
}

describe('reads that must be current', () => {
  it('share one question if they come in one turn', async () => {
    const { ask, answers } = fixture();
    const all = Promise.all([ask(), ask(), Promise.resolve().then(ask)]);
    await turn();
    await turn();
    expect(answers).toHaveLength(1);
    answers[0]?.();
    expect(await all).toEqual([11, 11, 11]);
  });

  it('share the next question while one is in flight, and not that one', async () => {
    const { ask, answers } = fixture();
    const first = ask();
    await turn();
    await turn();
    const others = Promise.all([ask(), ask()]);
    await turn();
    expect(answers).toHaveLength(1);
    answers[0]?.();
    expect(await first).toBe(11);
    // A caller that comes back at once with the next request is in time.
    await turn();
    const back = ask();
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(answers).toHaveLength(2);
    answers[1]?.();
    expect(await Promise.all([others, back])).toEqual([[12, 12], 12]);
  });
});
