/** Tasks that a walk hands in are done with an empty stack, until one says no. */
import { describe, expect, it } from 'vitest';
import { Later } from '../../../../../runtime/objects/depth/later.js';

describe('Later', () => {
  it('does all tasks before the first one is over for who handed it in', () => {
    const later = new Later();
    const done: number[] = [];
    const down = (level: number): void => {
      done.push(level);
      if (level < 100_000) later.run(() => down(level + 1));
    };
    down(0);
    expect(done).toEqual(Array.from({ length: 100_001 }, (_, level) => level));
  });

  it('ends with the first task that says no', () => {
    const later = new Later();
    const asked: string[] = [];
    const ask = (name: string, answer: boolean): boolean => {
      asked.push(name);
      return answer;
    };
    const all = later.all(() => later.all(() => ask('a', true)) && later.all(() => ask('b', false)) && ask('c', true));
    expect([all, asked]).toEqual([false, ['c', 'a', 'b']]);
    expect(later.all(() => true)).toBe(true);
  });

  it('forgets what is waiting when a task fails', () => {
    const later = new Later();
    const failing = (): boolean => {
      later.run(() => expect.unreachable());
      throw new Error('fails');
    };
    expect(() => later.all(failing)).toThrow('fails');
    let ran = false;
    later.run(() => {
      ran = true;
    });
    expect(ran).toBe(true);
  });
});
