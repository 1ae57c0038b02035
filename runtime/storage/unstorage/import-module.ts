/** Imports modules that are known by their names at run time only, also from the command that was built. */
import { createRequire } from 'node:module';

type Import = (name: string) => Promise<unknown>;

const isImport = (value: unknown): value is Import => typeof value === 'function';

/** Rejects as an import does. */
export async function importModule(name: string): Promise<unknown> {
  const imported: unknown = createRequire(import.meta.url)('./import-module.cjs');
  if (!isImport(imported)) throw new Error('import-module.cjs is damaged');
  return imported(name);
}
