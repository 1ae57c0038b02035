/** Waits for what happens elsewhere. */
import { vi } from 'vitest';

/** Calls a check again and again until it does not throw; gives up after a minute, with what it threw last. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000 });
