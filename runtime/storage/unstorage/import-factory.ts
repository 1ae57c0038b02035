/** Loads a part of a library. The part may need packages that are not installed. */
import { createRequire } from 'node:module';

type Factory = (options: unknown) => unknown;

/**
 * Returns the default export of a module, which must be a function. `what` is the name for messages, as in
 * `the driver redis`. If a package is missing, rejects with an Error that names it.
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

/** Returns the name of the package that an import did not find, without the path in it. */
function missingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) return undefined;
  return /Cannot find package '((?:@[^/']+\/)?[^/']+)/.exec(error.message)?.[1];
}

type Import = (name: string) => Promise<unknown>;

const isImport = (value: unknown): value is Import => typeof value === 'function';

/** Loads a module. Rejects as an import does. */
export async function importModule(name: string): Promise<unknown> {
  const imported: unknown = createRequire(import.meta.url)('./import-module.cjs');
  if (!isImport(imported)) throw new Error('import-module.cjs is damaged');
  return imported(name);
}
