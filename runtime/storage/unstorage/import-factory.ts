/** Loads a part of a library that may need packages which are not installed. */
import { importModule } from './import-module.js';

type Factory = (options: unknown) => unknown;

/**
 * The default export of a module, which must be a function. `what` says what is loaded, as in `the driver redis`.
 * Rejects with an Error that names the package to install where one is missing.
 */
export async function importFactory(path: string, what: string): Promise<Factory> {
  const loaded: unknown = await importModule(path).catch((error: unknown) => {
    const missing = missingPackage(error);
    throw missing === undefined ? error : new Error(`${what} needs the package ${missing}: npm install ${missing}`);
  });
  if (typeof loaded === 'object' && loaded !== null && 'default' in loaded && isFactory(loaded.default)) {
    return loaded.default;
  }
  throw new Error(`${what} cannot be used here`);
}

const isFactory = (value: unknown): value is Factory => typeof value === 'function';

/** The package that an import did not find, without the path within it. */
function missingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) return undefined;
  return /Cannot find package '((?:@[^/']+\/)?[^/']+)/.exec(error.message)?.[1];
}
