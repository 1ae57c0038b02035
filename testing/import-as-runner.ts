/** Imports modules as the test runner of this process does, so that tests and servers share the same instances. */
import { pathToFileURL } from 'node:url';
import { importModule } from '../runtime/storage/unstorage/import-factory.js';

/**
 * Loads a module by its absolute path: by vitest if it runs the test, or else by Node with its loaders, such as tsx.
 * Rejects if they cannot.
 */
export async function importAsRunner(file: string): Promise<unknown> {
  // `import.meta.vitest` has the same value, but only in modules that vitest loads, and Node loads packages.
  const vitest: unknown = Reflect.get(globalThis, '__vitest_index__');
  return isVitest(vitest) ? vitest.vi.importActual(file) : importModule(pathToFileURL(file).href);
}

interface Vitest {
  readonly vi: { importActual(path: string): Promise<unknown> };
}

const isVitest = (module: unknown): module is Vitest =>
  typeof module === 'object' &&
  module !== null &&
  'vi' in module &&
  typeof module.vi === 'object' &&
  module.vi !== null &&
  'importActual' in module.vi;
