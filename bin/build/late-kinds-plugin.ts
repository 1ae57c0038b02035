/** Moves what most kinds do with their objects from the program into a file that is read once one of them is asked for. */
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import { lateKindsFile } from '../launch/load-program.js';
import { generatedFiles, isEarly, kindOf } from './generated-kinds.js';
import { buildLateFile } from './late-file.js';

const standIn = fileURLToPath(new URL('late-kinds.ts', import.meta.url));

/** All that generated functions import; their own copy of it would not do, as it would know nothing of the program's. */
const imported = 'kindforge/schema-support';

const functionsFile = /generated\/.*\/functions\.ts$/;

/** Whether a file has functions of a late kind; those that several kinds share go where these are. */
function isLate(file: string): boolean {
  const kind = kindOf(file);
  return functionsFile.test(file) && !kind.startsWith('types/') && !isEarly(kind);
}

/** Puts stand-ins where the functions of late kinds would be. */
export const lateKinds: Plugin = {
  name: 'late kinds',
  setup({ onLoad }) {
    onLoad({ filter: functionsFile }, async ({ path }) => {
      if (!isLate(path)) return undefined;
      const { functions } = await import(pathToFileURL(path).href);
      const given = [kindOf(path), Object.keys(functions)].map((value) => JSON.stringify(value)).join(', ');
      return {
        loader: 'js',
        resolveDir: dirname(path),
        contents: `import * as support from '${imported}';
import { lateFunctions } from ${JSON.stringify(standIn)};
export const functions = lateFunctions(${given}, () => loadPart('${lateKindsFile}')(support));`,
      };
    });
  },
};

/** Writes the file with the functions themselves. */
export async function buildLateKinds(folder: string, common: BuildOptions): Promise<void> {
  const contents = {
    files: generatedFiles('functions.ts').filter(isLate),
    constant: 'functions',
    parameter: 'imported',
  };
  await buildLateFile(join(folder, lateKindsFile), contents, { ...common, plugins: [importsAreGiven] });
}

/** What generated functions import is that of the program. */
const importsAreGiven: Plugin = {
  name: 'imports are given',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${imported}$`) }, ({ path }) => ({ path, namespace: 'given' }));
    onLoad({ filter: /.*/, namespace: 'given' }, async () => {
      // Each by its name, as a function that is called through an object of them costs more.
      const names = Object.keys(await import(imported));
      return { contents: `export const { ${names.join(', ')} } = imported;` };
    });
  },
};
