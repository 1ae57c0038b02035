/** The present time, for ages: one timer for all of them, while any is shown. */
import { createSubscriber } from 'svelte/reactivity';

const everyMs = 5_000;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, everyMs);
  return () => clearInterval(timer);
});

/** Returns the time in milliseconds since 1970. An effect that reads it runs again every five seconds. */
export function now(): number {
  subscribe();
  return Date.now();
}
