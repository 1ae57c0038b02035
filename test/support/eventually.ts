/** Waits for effects that happen elsewhere. */
import { vi } from 'vitest';

/** Repeats a check until it does not throw. After a minute, throws the last error. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000 });
