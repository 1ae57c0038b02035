/**
 * A driver with slow calls that finish in any order. Each call waits before it takes effect, and again before it
 * answers.
 */
import type { Driver } from 'unstorage';

export interface SlowDriver {
  readonly driver: Driver;
  /** Holds calls until `release`; `which` selects them by method and key. */
  hold(which: (method: string, key: string) => boolean): void;
  /** Releases all held calls. */
  release(): void;
  /** How many calls it holds. */
  readonly waiting: number;
}

/** Opens the same items through another handle. Each call awaits `pace` twice. */
export function slowDriver(inner: Driver, pace: () => Promise<void> = async () => {}): SlowDriver {
  let isHeld = (_method: string, _key: string): boolean => false;
  const waiting: (() => void)[] = [];
  async function call<T>(method: string, key: string, effect: () => T): Promise<Awaited<T>> {
    if (isHeld(method, key)) await new Promise<void>((resolve) => waiting.push(resolve));
    await pace();
    const result = await effect();
    await pace();
    return result;
  }
  const driver: Driver = {
    name: 'slow',
    hasItem: (key, options) => call('hasItem', key, () => inner.hasItem(key, options)),
    getItem: (key, options) => call('getItem', key, () => inner.getItem(key, options)),
    getItemRaw: (key, options) => call('getItemRaw', key, () => inner.getItemRaw?.(key, options)),
    setItem: (key, value, options) => call('setItem', key, () => inner.setItem?.(key, value, options)),
    setItemRaw: (key, value, options) => call('setItemRaw', key, () => inner.setItemRaw?.(key, value, options)),
    removeItem: (key, options) => call('removeItem', key, () => inner.removeItem?.(key, options)),
    getKeys: (base, options) => call('getKeys', base, () => inner.getKeys(base, options)),
  };
  return {
    driver,
    hold(which) {
      isHeld = which;
    },
    release() {
      isHeld = () => false;
      for (const resolve of waiting.splice(0)) resolve();
    },
    get waiting() {
      return waiting.length;
    },
  };
}
