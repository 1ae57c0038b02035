/** Memory is given back when a server is quiet, and work is not slowed down for it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { giveBackWhenQuiet } from '../../../../bin/serve/idle-gc.js';

const module = new URL('../../../../bin/serve/idle-gc.ts', import.meta.url).href;

describe('a server', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A server that uses CPU time as told, in milliseconds for each second, and what V8 is told after each of them. */
  function server() {
    let used = 0;
    const told: boolean[] = [];
    const end = giveBackWhenQuiet({ cpuUsage: () => ({ user: used, system: used }) }, (memory) => told.push(memory));
    const work = (milliseconds: readonly number[]): readonly boolean[] => {
      for (const one of milliseconds) {
        used += (one * 1000) / 2;
        vi.advanceTimersByTime(1000);
      }
      return told;
    };
    return { work, end, told };
  }

  it('is quiet after three seconds without work, until there is some', () => {
    const { work } = server();
    expect(work([900, 99, 99])).toEqual([]);
    expect(work([99])).toEqual([true]);
    expect(work([0, 0, 0])).toEqual([true]);
    expect(work([100])).toEqual([true, false]);
    expect(work([0, 0])).toEqual([true, false]);
    expect(work([0])).toEqual([true, false, true]);
  });

  it('is not quiet while it works now and then', () => {
    expect(server().work([0, 0, 100, 0, 0, 100, 0, 0, 100])).toEqual([]);
  });

  it('favours speed again in the end', () => {
    const { work, end, told } = server();
    work([0, 0, 0]);
    end();
    expect(told).toEqual([true, false]);
    expect(work([900, 0, 0, 0])).toEqual([true, false]);
  });
});

/** Makes V8 tell of collections that are to make memory less: a flag of its own since Node 22, before that part of another. */
const traceFlags =
  Number.parseInt(process.versions.node, 10) < 22 ? ['--trace-gc', '--trace-gc-verbose'] : ['--trace-memory-reducer'];

describe('the memory of a process', () => {
  /** What V8 tells of its collections in a process that works for a second, and then waits until it holds less. */
  async function collections(): Promise<string> {
    const script = `
      import { getHeapSpaceStatistics } from 'node:v8';
      import { giveBackWhenQuiet } from '${module}';
      const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
      giveBackWhenQuiet();
      const kept = [];
      for (const begun = performance.now(); performance.now() < begun + 1000; ) kept.push({ i: kept.length % 1000 });
      const busy = size();
      const watching = setInterval(() => {
        if (size() < busy) clearInterval(watching);
      }, 500);`;
    const flags = [...traceFlags, '--import', 'tsx', '--input-type=module'];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--eval', script], { timeout: 80_000 });
    return stdout;
  }

  it('is given back because V8 knows that it is quiet', { timeout: 90_000 }, async () => {
    // "Background" is its word for memory being favoured.
    expect(await collections()).toMatch(/Memory reducer: \w+ alloc, background\n.*started GC/);
  });
});
