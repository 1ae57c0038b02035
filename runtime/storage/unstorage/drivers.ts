/** Creates unstorage's own drivers by name. */
import { builtinDrivers, type Driver } from 'unstorage';
import { importFactory } from './import-factory.js';
import type { DriverOptions, OpenDriver } from './options.js';

/**
 * Creates one of unstorage's drivers, as in `redis` with `{ url: 'redis://127.0.0.1' }`. For `db0`, the options are the
 * connector's, with its name as `connector`, and `tableName`; it needs the package `db0`. Rejects with an Error if the
 * driver is unknown, needs a package that is not installed, or refuses its options. The message has the cure.
 */
export async function openDriver(name: string, options: DriverOptions = {}): Promise<OpenDriver<Driver>> {
  const path = Object.entries(builtinDrivers).find(([known]) => known === name)?.[1];
  if (path === undefined) throw new Error(`the driver ${name} is unknown; there are: ${driverNames().join(', ')}`);
  const make = await importFactory(path, `the driver ${name}`);
  if (name === 'db0') {
    const { connectDatabase } = await import('./databases.js');
    const { driverOptions, release } = await connectDatabase(options);
    return { driver: toDriver(make(driverOptions), name), release };
  }
  if (name === 'redis') return disposable(explainingRedis(toDriver(make(redisOptions(options)), name)));
  return disposable(toDriver(make(options), name));
}

const disposable = (driver: Driver): OpenDriver<Driver> => ({ driver, release: async () => driver.dispose?.() });

/** Returns the names with hyphens. Drivers also have a name in camel case. */
const driverNames = (): readonly string[] => Object.keys(builtinDrivers).filter((name) => !/[A-Z]/.test(name));

function toDriver(value: unknown, name: string): Driver {
  if (isDriver(value)) return value;
  throw new Error(`the driver ${name} cannot be used here`);
}

function isDriver(value: unknown): value is Driver {
  return typeof value === 'object' && value !== null && 'getItem' in value && 'getKeys' in value;
}

/**
 * The time limit of a command in milliseconds, and the number of tries of up to half a second. Without them, the client
 * waits for an answer for ever.
 */
const DEFAULTS = { commandTimeout: 5000, maxRetriesPerRequest: 10 };

const redisOptions = (options: DriverOptions): DriverOptions => ({ ...DEFAULTS, ...options });

/** Returns the same driver, but its errors give the reason why the server cannot be reached. */
function explainingRedis(driver: Driver): Driver {
  let trouble = '';
  const client: unknown = driver.getInstance?.();
  if (!isEmitter(client)) return driver;
  // Without a listener, the client prints its errors.
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
