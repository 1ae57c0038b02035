import { describe, expect, it } from 'vitest';
import { merged } from '../../../client/merged.js';

/** Makes a source that yields its values and then waits for its end, or throws. */
function source(...values: readonly (number | Error)[]) {
  const state = { isEnded: false };
  const open = async function* (signal: AbortSignal): AsyncGenerator<number, void, undefined> {
    signal.addEventListener('abort', () => {
      state.isEnded = true;
    });
    for (const value of values) {
      if (value instanceof Error) throw value;
      yield value;
    }
    if (signal.aborted) return;
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  };
  return { state, open };
}

type Sources = Readonly<Record<string, ReturnType<typeof source>>>;

const mergedOf = (sources: Sources, signal?: AbortSignal) => merged(sources, ({ open }, end) => open(end), signal);

describe('merged sources', () => {
  it('report everything, in order within each, until the signal ends them', async () => {
    const sources = { a: source(1, 2), b: source(3) };
    const end = new AbortController();
    const seen: [string, number][] = [];
    for await (const [name, value] of mergedOf(sources, end.signal)) {
      seen.push([name, value]);
      if (seen.length === 3) end.abort();
    }
    expect(seen.filter(([name]) => name === 'a')).toEqual([
      ['a', 1],
      ['a', 2],
    ]);
    expect(seen).toContainEqual(['b', 3]);
    expect([sources.a.state, sources.b.state]).toEqual([{ isEnded: true }, { isEnded: true }]);
    expect(await mergedOf(sources, AbortSignal.abort()).next()).toEqual({ done: true, value: undefined });
  });

  it('end when one fails, and when nobody reads them any more', async () => {
    const failing = { a: source(1), b: source(new Error('broken')) };
    const values = mergedOf(failing);
    const read = async () => {
      for await (const _value of values);
    };
    await expect(read()).rejects.toThrow('broken');
    expect(failing.a.state.isEnded).toBe(true);
    const left = { a: source(1), b: source(2) };
    for await (const _value of mergedOf(left)) break;
    expect([left.a.state.isEnded, left.b.state.isEnded]).toEqual([true, true]);
  });
});
