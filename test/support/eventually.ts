/** Waits for effects that happen elsewhere. */
import { vi } from 'vitest';

/** Repeats a check until it does not throw. After a minute, throws the last error. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000 });

/** Waits until a condition holds. After a minute, throws an error. */
export const until = <T>(holds: () => T | Promise<T>) => vi.waitUntil(holds, { timeout: 60_000, interval: 20 });
