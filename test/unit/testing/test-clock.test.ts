import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../testing/test-clock.js';

const start = '2026-01-31T12:00:00Z';

describe('a clock that does not advance', () => {
  it('shows its moment, and wakes all waiters that are due in between, in order, each at its time', async () => {
    const clock = new TestClock(start);
    const woken: string[] = [];
    const wake = (name: string) => () => void woken.push(`${name} at ${clock.now().toISOString().slice(11, 19)}`);
    clock.after(20_000, wake('late'));
    clock.after(10_000, wake('early'));
    clock.after(40_000, wake('never'));
    const callOff = clock.after(15_000, wake('called off'));
    callOff();
    expect(clock.isFrozen).toBe(true);
    await clock.advance(30_000);
    expect(woken).toEqual(['early at 12:00:10', 'late at 12:00:20']);
    expect(clock.now().toISOString()).toBe('2026-01-31T12:00:30.000Z');
    clock.close();
    await clock.advance(60_000);
    expect(woken).toHaveLength(2);
  });

  it('wakes waiters that start in between for a time in between', async () => {
    const clock = new TestClock(start);
    let rounds = 0;
    const again = (): void => {
      rounds++;
      clock.after(1000, again);
    };
    clock.after(1000, again);
    await clock.advance(5500);
    expect(rounds).toBe(5);
  });

  it('jumps if it would wake a waiter again and again, and then wakes it once at the end', async () => {
    const clock = new TestClock(start);
    const woken: number[] = [];
    const again = (): void => {
      woken.push(clock.wallMs());
      clock.after(60_000, again);
    };
    clock.after(60_000, again);
    const begin = clock.wallMs();
    const year = 365 * 24 * 3_600_000;
    await clock.advance(year);
    expect(woken).toHaveLength(5_001);
    expect(woken.slice(0, 2)).toEqual([begin + 60_000, begin + 120_000]);
    expect(woken.at(-1)).toBe(begin + year);
    await clock.advance(60_000);
    expect(woken.at(-1)).toBe(begin + year + 60_000);
  });

  it('can be set to a moment: it wakes later waiters only, and its monotonic time never goes back', async () => {
    const clock = new TestClock(start);
    let woken = 0;
    clock.after(3_600_000, () => woken++);
    await clock.set('2026-01-31T14:00:00Z');
    expect(woken).toBe(1);
    const before = clock.monotonicMs();
    await clock.set(Date.parse('2025-01-01T00:00:00Z'));
    expect(clock.now().toISOString()).toBe('2025-01-01T00:00:00.000Z');
    expect(clock.monotonicMs()).toBe(before);
    clock.reset();
    expect(clock.now().toISOString()).toBe('2026-01-31T12:00:00.000Z');
    expect(clock.monotonicMs()).toBe(before);
  });

  it('refuses texts that are not moments, and negative times', async () => {
    const clock = new TestClock(start);
    await expect(clock.set('tomorrow')).rejects.toThrow('tomorrow: must be a moment; use a Date, or a text as in');
    await expect(clock.advance(-1)).rejects.toThrow('-1: must be a number of milliseconds from 0');
  });
});

describe('a clock that runs', () => {
  it('wakes by itself, jumps, and stops on request', async () => {
    const clock = new TestClock();
    await new Promise<void>((resolve) => void clock.after(5, resolve));
    let woken = false;
    clock.after(3_600_000, () => {
      woken = true;
    });
    const before = clock.wallMs();
    await clock.advance(3_600_000);
    expect(woken).toBe(true);
    expect(clock.isFrozen).toBe(false);
    expect(clock.wallMs() - before).toBeGreaterThanOrEqual(3_600_000);
    await clock.freeze('2040-01-01T00:00:00Z');
    expect(clock.now().toISOString()).toBe('2040-01-01T00:00:00.000Z');
    clock.resume();
    expect(clock.isFrozen).toBe(false);
    clock.reset();
    expect(Math.abs(clock.wallMs() - Date.now())).toBeLessThan(60_000);
    clock.close();
  });
});
