/** Makes unstorage's own drivers by name. */
import { builtinDrivers, type Driver } from 'unstorage';
import type { DriverOptions } from './driver-options.js';
import { importFactory } from './import-factory.js';
import { explainingRedis, redisOptions } from './redis.js';

/** A driver, and how to be done with it. */
export interface OpenDriver {
  readonly driver: Driver;
  /** Ends what the driver holds open. */
  readonly release: () => Promise<void>;
}

/**
 * Makes one of the drivers that come with unstorage, as in `redis` with `{ url: 'redis://127.0.0.1' }`. For `db0` the
 * options are those of a connector, with its name as `connector`, and `tableName`; it needs the package db0. Rejects with an Error that says what
 * to do where the driver is unknown, needs a package that is not installed, or refuses its options.
 */
export async function openDriver(name: string, options: DriverOptions = {}): Promise<OpenDriver> {
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

const disposable = (driver: Driver): OpenDriver => ({ driver, release: async () => driver.dispose?.() });

/** The names with hyphens; drivers have one in camel case, too. */
const driverNames = (): readonly string[] => Object.keys(builtinDrivers).filter((name) => !/[A-Z]/.test(name));

function toDriver(value: unknown, name: string): Driver {
  if (isDriver(value)) return value;
  throw new Error(`the driver ${name} cannot be used here`);
}

function isDriver(value: unknown): value is Driver {
  return typeof value === 'object' && value !== null && 'getItem' in value && 'getKeys' in value;
}
