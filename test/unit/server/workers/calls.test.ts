/** Calls between two processes, simulated by two ends of one channel. */
import { describe, expect, it } from 'vitest';
import { type Answers, type Calls, openCalls } from '../../../../server/workers/calls.js';

/** Connects two ends. `strange` sends a message of another program to the second one. */
function pair(a: Answers, b: Answers): { readonly a: Calls; readonly b: Calls; strange(message: unknown): void } {
  const hearing: ((message: unknown) => void)[] = [];
  const endAt = (own: number, other: number) => ({
    send: (message: object, sent: (error: Error | null) => void) => {
      queueMicrotask(() => hearing[other]?.(structuredClone(message)));
      sent(null);
    },
    onMessage: (hear: (message: unknown) => void) => {
      hearing[own] = hear;
    },
  });
  return { a: openCalls(endAt(0, 1), a), b: openCalls(endAt(1, 0), b), strange: (message) => hearing[1]?.(message) };
}

describe('calls', () => {
  it('are answered in both directions', async () => {
    const { a, b } = pair({ half: (n) => Number(n) / 2 }, { twice: async (n) => Number(n) * 2 });
    expect(await Promise.all([a.call('twice', 4), b.call('half', 4), a.call('twice', 1)])).toEqual([8, 2, 2]);
  });

  it('reject with the error of the other side', async () => {
    const { a } = pair(
      {},
      {
        fail: () => {
          throw new Error('no room');
        },
      },
    );
    await expect(a.call('fail')).rejects.toThrow('no room');
    await expect(a.call('other')).rejects.toThrow('unknown call other');
  });

  it('reject once the other side has ended', async () => {
    const { a } = pair({}, { never: () => new Promise(() => undefined) });
    const waiting = a.call('never');
    a.end();
    await expect(waiting).rejects.toThrow('the other process has ended');
    await expect(a.call('never')).rejects.toThrow('the other process has ended');
  });

  it('reject if the other side does not answer in time, and ignore its later answer', async () => {
    let answer = (_value: number): void => undefined;
    const late = new Promise<number>((resolve) => {
      answer = resolve;
    });
    const { a } = pair({}, { late: () => late, twice: (n) => Number(n) * 2 });
    await expect(a.call('late', undefined, 5)).rejects.toThrow('has not answered within 5 ms');
    answer(1);
    expect(await a.call('twice', 2, 1000)).toBe(4);
  });

  it('ignore messages of others', async () => {
    const { a, strange } = pair({}, { twice: (n) => Number(n) * 2 });
    for (const message of [undefined, 'text', { id: 1, call: 'twice' }, { kindforge: 1 }]) strange(message);
    expect(await a.call('twice', 2)).toBe(4);
  });
});
