/** What the build changes of the modules that make up the program. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Loader, Plugin } from 'esbuild';

/** A change of the modules that a pattern of paths finds. */
interface Change {
  readonly modules: RegExp;
  readonly loader: Loader;
  /** What is changed in them. Where there is none of it, a module is no longer what it was, and the build fails. */
  readonly what: RegExp;
  /** As `String.replace` takes it. */
  readonly by: string;
  /** An import that what has been changed needs. */
  readonly imports?: string;
}

const change = ({ modules, loader, what, by, imports = '' }: Change): Plugin => ({
  name: `change ${modules}`,
  setup({ onLoad }) {
    onLoad({ filter: modules }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!what.test(text)) throw new Error(`${path} has nothing like ${what}, which is to be changed`);
      what.lastIndex = 0;
      return { contents: imports + text.replace(what, by), loader };
    });
  },
});

/** Modules of Node are loaded where something of them is used, not wherever a file of a library names them. */
const onlyUsedModules: Plugin = {
  name: 'only modules of Node that are used',
  setup({ onResolve }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
  },
};

const lateFetchTypes = JSON.stringify(fileURLToPath(new URL('late-fetch-types.ts', import.meta.url)));

export const programPlugins: readonly Plugin[] = [
  onlyUsedModules,
  // Names of modules that are only known at run time go to the import that the launcher hands in.
  change({
    modules: /import-factory\.ts$/,
    loader: 'ts',
    what: /await import\(path\)/,
    by: 'await importModule(path)',
  }),
  // Node loads `fetch` and all it needs once a type of it is named: a tenth of a start, and 4 MiB.
  change({
    modules: /srvx\/dist\/adapters\/node\.mjs$/,
    loader: 'js',
    what: /\bglobalThis\.(Headers|Request|Response)(?=;|\);)/g,
    by: 'lateFetchTypes.$1',
    imports: `import * as lateFetchTypes from ${lateFetchTypes};\n`,
  }),
  // Only its client speaks TLS.
  change({
    modules: /ws\/lib\/websocket\.js$/,
    loader: 'js',
    what: /^const (https|tls) = require\('\1'\);$/gm,
    by: "const $1 = { get request() { return require('$1').request; }, get connect() { return require('$1').connect; } };",
  }),
  change({
    modules: /h3\/dist\/response\.mjs$/,
    loader: 'js',
    what: /\b(Headers|Response)\b/g,
    by: '$1',
    imports: `import { Headers, Response } from ${lateFetchTypes};\n`,
  }),
];
