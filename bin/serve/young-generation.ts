/** Bounds the memory for new objects: narrowly while a server starts, moderately while it works. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** By how much V8 enlarges its young generation whenever much of it survives, unless told otherwise. */
export const usualGrowth = 2;

/** Bytes from which on it is large enough. V8 alone would stop at 32 MiB. */
const largeBytes = 24 * 1024 * 1024;

/** How often it is looked how large it is, milliseconds: it takes longer than that to double. */
const intervalMs = 250;

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
 * Ends the growth of the young generation at three quarters of what V8 takes for its limit. What is alive of a request when
 * garbage is collected is little, whatever the size; a half of the limit would cost requests a twentieth of their time,
 * though. Returns what ends that.
 */
export function boundYoungGeneration(): () => void {
  const looking = setInterval(() => grow(growthFrom(youngBytes())), intervalMs).unref();
  return () => {
    clearInterval(looking);
    grow(usualGrowth);
  };
}

/** By how much it may grow at once: not beyond what is large enough, and from a half of that or less to it. */
const growthFrom = (bytes: number): number =>
  bytes <= largeBytes / 4 ? usualGrowth : Math.max(1, Math.floor(largeBytes / bytes));

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}

let growth = usualGrowth;

function grow(factor: number): void {
  if (factor !== growth) setFlagsFromString(`--semi-space-growth-factor=${factor}`);
  growth = factor;
}
