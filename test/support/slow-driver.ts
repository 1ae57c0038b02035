/** A driver whose calls take their time, in any order: each waits before it takes effect, and again before it answers. */
import type { Driver } from 'unstorage';

export interface SlowDriver {
  readonly driver: Driver;
  /** Lets calls wait until they are let go; those that `which` names, by method and key. */
  hold(which: (method: string, key: string) => boolean): void;
  /** Lets all go that waits. */
  release(): void;
  /** How many calls wait. */
  readonly waiting: number;
}

/** The same items through another handle. `pace` is waited for twice by each call. */
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
