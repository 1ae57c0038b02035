/** Makes unstorage's driver for Redis give up in time, and say why. */
import type { Driver } from 'unstorage';
import type { DriverOptions } from './driver-options.js';

/** Without these the client waits for an answer for ever. In milliseconds, and in attempts of up to half a second. */
const DEFAULTS = { commandTimeout: 5000, maxRetriesPerRequest: 10 };

export const redisOptions = (options: DriverOptions): DriverOptions => ({ ...DEFAULTS, ...options });

/** The same driver, but what fails says why the server cannot be reached, where it cannot. */
export function explainingRedis(driver: Driver): Driver {
  let trouble = '';
  const client: unknown = driver.getInstance?.();
  if (!isEmitter(client)) return driver;
  // A client that nobody listens to prints its errors.
  client.on('error', (error) => {
    trouble = error instanceof Error ? error.message : String(error);
  });
  client.on('ready', () => {
    trouble = '';
  });
  const explaining = async <T>(doing: Promise<T> | T): Promise<T> => {
    try {
      return await doing;
    } catch (error) {
      throw trouble === '' ? error : new Error(`Redis cannot be reached: ${trouble}`, { cause: error });
    }
  };
  return {
    ...driver,
    getItem: (key, options) => explaining(driver.getItem(key, options)),
    setItem: (key, value, options) => explaining(driver.setItem?.(key, value, options)),
    removeItem: (key, options) => explaining(driver.removeItem?.(key, options)),
    getKeys: (base, options) => explaining(driver.getKeys(base, options)),
  };
}

interface Emitter {
  on(event: string, listener: (value: unknown) => void): unknown;
}

function isEmitter(value: unknown): value is Emitter {
  return typeof value === 'object' && value !== null && 'on' in value && typeof value.on === 'function';
}
