/** Lets a `fetch` with its own connections call one target, under the limits of all outgoing calls. */
import type { OutgoingCalls } from './outgoing-calls.js';

const timeoutMs = 30_000;

/** Returns the same `fetch` for one URL. It rejects if the call may not be made. It ignores the given signal. */
export function guardedFetch(calls: OutgoingCalls, url: string, send: typeof fetch): typeof fetch {
  const { origin, pathname } = new URL(url);
  const target = calls.open(`${origin}${pathname}`, { origin });
  return async (where, how) => {
    const sent = await target.run<Response | Error>(
      { timeoutMs },
      async (signal) => {
        try {
          return { answer: await send(where, { ...how, signal }), isLate: false };
        } catch (error) {
          return { answer: error instanceof Error ? error : new Error(String(error)), isLate: signal.aborted };
        }
      },
      (problem) => new Error(problem),
    );
    if (sent instanceof Error) throw sent;
    return sent;
  };
}
