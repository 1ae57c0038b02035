/** Bounds the memory for new objects: narrowly while a server starts, moderately while it works. */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** By how much V8 enlarges its young generation whenever much of it survives, unless told otherwise. */
export const usualGrowth = 2;

/** Bytes from which on it is large enough. V8 alone would stop at 32 MiB. */
const largeBytes = 16 * 1024 * 1024;

/**
 * Runs work that makes many objects which stay, such as loading a store. V8 takes that for a reason to enlarge its young
 * generation to 32 MiB, which it hardly ever gives back; with the growth off, it stays at 2 MiB. Afterwards it grows with
 * the requests that there are.
 */
export async function withSmallYoungGeneration<T>(work: () => Promise<T>): Promise<T> {
  grow(1);
  try {
    return await work();
  } finally {
    grow(usualGrowth);
  }
}

/**
 * Ends the growth of the young generation at half of what V8 takes for its limit: what is left of a request when garbage is
 * collected is little, whatever the size, and the rest would be memory that lies idle. Returns what ends that.
 */
export function boundYoungGeneration(): () => void {
  // Told of every collection, which is when the size changes.
  const observer = new PerformanceObserver(() => grow(youngBytes() < largeBytes ? usualGrowth : 1));
  observer.observe({ entryTypes: ['gc'] });
  return () => {
    observer.disconnect();
    grow(usualGrowth);
  };
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}

const grow = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);
