/** Opens a store over a driver of unstorage. */
import {
  DamagedStoreError,
  DataInUseError,
  type EmbeddedStore,
  openStore,
  UnfinishedRestoreError,
} from '../../runtime/storage/index.js';
import { OptionError } from '../option-error.js';
import { withPackages } from '../optional-packages.js';
import { observedBackend } from './observed-backend.js';
import type { Opening } from './opening.js';
import { readLine } from './read-line.js';
import type { UnstorageOption } from './storage-option.js';

/** Rejects with an `OptionError` that does not repeat the driver's options, as they may hold passwords. */
export async function openUnstorage(
  { driver: name, options = {}, files = {} }: UnstorageOption,
  { history, observer, ...opening }: Opening,
): Promise<{ readonly store: EmbeddedStore; readonly place: string }> {
  const place = `unstorage:${name}`;
  try {
    const fromFiles = Object.entries(files).map(([option, path]) => [option, readLine(path)] as const);
    const { openDriver, unstorageBackend } = await import('../../runtime/storage/unstorage/index.js');
    const part = { option: 'storage', value: place, packages: ['db0'] } as const;
    const open = () => openDriver(name, { ...options, ...Object.fromEntries(fromFiles) });
    const { driver, release } = await withPackages(part, open);
    const backend = unstorageBackend(driver, { place: `the data of ${place}`, release });
    return { store: await openStore({ backend: observedBackend(backend, observer), ...opening, ...history }), place };
  } catch (error) {
    if (saysWhatToDo(error)) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw new OptionError((nameOf) => `${nameOf('storage')} ${place}: ${problem}`, { cause: error });
  }
}

const saysWhatToDo = (error: unknown): boolean =>
  error instanceof OptionError ||
  error instanceof DamagedStoreError ||
  error instanceof DataInUseError ||
  error instanceof UnfinishedRestoreError;
