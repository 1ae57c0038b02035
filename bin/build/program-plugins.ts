/** What the build changes of the modules that make up the program. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Loader, Plugin } from 'esbuild';

const lateFetchTypes = JSON.stringify(fileURLToPath(new URL('late-fetch-types.ts', import.meta.url)));

/** A change of the files that a pattern finds. That it changes nothing is a mistake: the file is no longer what it was. */
function change(name: string, filter: RegExp, loader: Loader, edit: (text: string) => string): Plugin {
  return {
    name,
    setup({ onLoad }) {
      onLoad({ filter }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        const contents = edit(text);
        if (contents === text) throw new Error(`${path} has nothing of what is to be changed (${name})`);
        return { contents, loader };
      });
    },
  };
}

/** Modules of Node are loaded where something of them is used, not wherever a file of a library names them. */
const onlyUsedModules: Plugin = {
  name: 'only modules of Node that are used',
  setup({ onResolve }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
  },
};

export const programPlugins: readonly Plugin[] = [
  onlyUsedModules,
  // Names of modules that are only known at run time go to the import that the launcher hands in.
  change('imports by name', /import-factory\.ts$/, 'ts', (text) =>
    text.replace('await import(path)', 'await importModule(path)'),
  ),
  // Node loads `fetch` and all it needs once a type of it is named: a tenth of a start, and 4 MiB.
  change('types of the adapter', /srvx\/dist\/adapters\/node\.mjs$/, 'js', (text) =>
    text
      .replace(/\bglobalThis\.(Headers|Request|Response)(?=;|\);)/g, 'lateFetchTypes.$1')
      .replace(/^/, `import * as lateFetchTypes from ${lateFetchTypes};\n`),
  ),
  change('types of answers', /h3\/dist\/response\.mjs$/, 'js', (text) =>
    text.replace(/^/, `import { Headers, Response } from ${lateFetchTypes};\n`),
  ),
];
