import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PodEnds } from '../../../../testing/workloads/node-agent.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

it('a pod has a fixed moment for its end', () => {
  const ends = new PodEnds();
  const again = vi.fn();
  expect(ends.isOver('a/p', 'one', again)).toBe(false);
  expect(ends.isOver('a/p', 'one', again)).toBe(false);
  vi.advanceTimersByTime(100);
  expect(again).toHaveBeenCalledTimes(1);
  expect(ends.isOver('a/p', 'one', again)).toBe(true);
});

it.each([
  ['the next of its name', 'two', false],
  ['the same one, once it is gone', 'one', true],
])('%s has a moment of its own', (_, uid, isGone) => {
  const ends = new PodEnds();
  ends.isOver('a/p', 'one', () => {});
  vi.advanceTimersByTime(100);
  if (isGone) ends.release('a/p');
  expect(ends.isOver('a/p', uid, () => {})).toBe(false);
});
