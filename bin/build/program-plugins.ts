/** What the build changes of the modules that make up the program. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

/** All that is used of RE2, which is loaded with the first pattern. */
const latePatterns: Plugin = {
  name: 'late patterns',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^re2js$/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, external: true } : { path, namespace: 'late', sideEffects: false },
    );
    onLoad({ filter: /.*/, namespace: 'late' }, () => ({
      contents: "export const RE2JS = { compile: (pattern) => require('re2js').RE2JS.compile(pattern) };",
    }));
  },
};

/**
 * Of lmdb, the form for `require`, since the other looks for the native library beside the module that it is part of; and
 * without the encoding of objects that databases have where they are not told another, as ours is.
 */
const lmdbForRequire: Plugin = {
  name: 'lmdb for require',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^lmdb$/ }, () => ({ path: createRequire(import.meta.url).resolve('lmdb') }));
    onResolve({ filter: /^msgpackr$/ }, ({ path }) => ({ path, namespace: 'unused' }));
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};

const lateFetchTypes = JSON.stringify(fileURLToPath(new URL('late-fetch-types.ts', import.meta.url)));

export const programPlugins: readonly Plugin[] = [
  onlyUsedModules,
  latePatterns,
  lmdbForRequire,
  change({
    modules: /lmdb\/dist\/index\.cjs$/,
    loader: 'js',
    what: /\b__filename\b/g,
    by: 'lmdbFile',
    imports: "const lmdbFile = require('node:module').createRequire(__filename).resolve('lmdb'); ",
  }),
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
  change({
    modules: /h3\/dist\/response\.mjs$/,
    loader: 'js',
    what: /\b(Headers|Response)\b/g,
    by: '$1',
    imports: `import { Headers, Response } from ${lateFetchTypes};\n`,
  }),
];
