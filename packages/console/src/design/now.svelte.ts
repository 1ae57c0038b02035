/** The present time, for ages. One timer for all, while any age is visible. */
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
