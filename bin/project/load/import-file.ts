/** Imports modules of a project: TypeScript by jiti, which needs no build; JavaScript by Node. */
import { createRequire } from 'node:module';
import { extname, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Jiti } from 'jiti';
import * as contract from '../../../contract.js';
import { importModule } from '../../../runtime/storage/unstorage/import-module.js';
import { defineConfig } from '../define-config.js';

/** Imports the modules of one loading of a project; a module that several import is run once. */
export interface Importer {
  /**
   * The default export of a module, by its absolute path; of CommonJS, what it exports. Rejects as an import does, and where
   * an ES module has no default export.
   */
  importDefault(file: string): Promise<unknown>;
  /** The files that were run so far, but for those of packages, and ES modules in JavaScript that others have imported. */
  sources(): readonly string[];
}

/** Every process loads a project once: Node keeps what it has imported. */
export function defineImporter(directory: string): Importer {
  const loaded = createRequire(import.meta.url).cache;
  const isOwn = (file: string): boolean =>
    file.startsWith(directory + sep) && !file.includes(`${sep}node_modules${sep}`);
  const imported = new Set<string>();
  let jiti: Promise<Jiti> | undefined;
  return {
    async importDefault(file) {
      imported.add(file);
      if (/^\.[cm]?js$/.test(extname(file))) return defaultOf(await importModule(pathToFileURL(file).href));
      jiti ??= openJiti(directory);
      return defaultOf(await (await jiti).import(file));
    },
    sources: () => [...new Set([...imported, ...Object.keys(loaded).filter(isOwn)])].sort(),
  };
}

/** Doors of this very program stand for the package's, which need not be installed for a configuration with handlers and plugins. */
async function openJiti(directory: string): Promise<Jiti> {
  const { createJiti } = await import('jiti');
  return createJiti(`${directory}${sep}`, {
    virtualModules: { 'kindforge/config': { defineConfig }, 'kindforge/contract': contract },
    tsconfigPaths: true,
    interopDefault: false,
  });
}

/** A file with no export at all may be of either kind of module; it has no default export as one or the other. */
function defaultOf(module: unknown): unknown {
  if (typeof module !== 'object' || module === null) return module;
  if ('default' in module) return module.default;
  const isEsModule = '__esModule' in module || Object.prototype.toString.call(module) === '[object Module]';
  if (isEsModule || Object.keys(module).length === 0) throw new Error('it has no `export default`');
  return module;
}
