import { getEventListeners } from 'node:events';
import { expect, it, vi } from 'vitest';
import { onAbort } from '../../../../client/connection/on-abort.js';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

it('calls many callbacks of a signal in order, with one listener', () => {
  const { signal, abort } = controller();
  const called: number[] = [];
  for (let i = 0; i < 20; i++) onAbort(signal, () => void called.push(i));
  expect(listenersOf(signal)).toBe(1);
  abort();
  expect(called).toEqual([...Array(20).keys()]);
  expect(listenersOf(signal)).toBe(0);
});

it('removes the listener with the last callback, and adds it again with the next', () => {
  const { signal, abort } = controller();
  const act = vi.fn();
  const stops = [onAbort(signal, act), onAbort(signal, act)];
  for (const stop of stops) stop();
  for (const stop of stops) stop();
  expect(listenersOf(signal)).toBe(0);
  onAbort(signal, act);
  abort();
  expect(act).toHaveBeenCalledOnce();
});

it('does not call a removed callback, nor any twice', () => {
  const { signal, abort } = controller();
  const act = vi.fn();
  onAbort(signal, () => stop());
  const stop = onAbort(signal, act);
  abort();
  expect(act).not.toHaveBeenCalled();
  onAbort(signal, act);
  expect(act).toHaveBeenCalledOnce();
  onAbort(undefined, act);
  expect(act).toHaveBeenCalledOnce();
});

function controller(): { readonly signal: AbortSignal; abort(): void } {
  const ending = new AbortController();
  return { signal: ending.signal, abort: () => ending.abort() };
}
