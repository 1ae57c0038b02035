/** Lets requests that arrive together go through each stage together. */

/**
 * Makes what a listener awaits before it does anything: the end of the turn of the event loop in which requests come in.
 * All that came in the same turn go on in one go, and then from wait to wait side by side, so that the code of a stage is
 * run for one after the other while the processor has it at hand. By itself, each request would find the caches filled by
 * what came last before it, the writing of an answer: with 64 connections, gets cost twice as much then, and writes half
 * as much again. A request that comes alone waits for no other.
 */
export function gatherArrivals(): () => Promise<void> {
  let arrivals: Promise<void> | undefined;
  const end = (go: () => void): void => {
    arrivals = undefined;
    go();
  };
  return () => {
    arrivals ??= new Promise((resolve) => setImmediate(end, resolve));
    return arrivals;
  };
}
