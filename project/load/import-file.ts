/** Imports modules of a project: TypeScript by jiti, which needs no build; JavaScript by Node. */
import { createRequire } from 'node:module';
import { extname, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Jiti } from 'jiti';
import { importModule } from '../../runtime/storage/unstorage/import-module.js';
import { defineConfig } from '../define-config.js';

/** Imports the modules of one loading of a project; a module that several import is run once. */
export interface Importer {
  /** The default export of a module, by its absolute path; the module itself where it has none. Rejects as an import does. */
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

/** The door of this very program stands for the package's, which need not be installed for that. */
async function openJiti(directory: string): Promise<Jiti> {
  const { createJiti } = await import('jiti');
  return createJiti(`${directory}${sep}`, {
    virtualModules: { 'kindforge/config': { defineConfig } },
    tsconfigPaths: true,
    interopDefault: false,
  });
}

const defaultOf = (module: unknown): unknown =>
  typeof module === 'object' && module !== null && 'default' in module ? module.default : module;
