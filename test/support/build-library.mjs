/** Builds what programs import from the package into a few files, and settings that map the imports to these files. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [folder = ''] = process.argv.slice(2);
const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
const exported = Object.entries(compilerOptions.paths);

/** Lets each module know the place of its source, because some read files beside themselves. */
const places = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' };
    });
  },
};

await build({
  absWorkingDir: root,
  entryPoints: exported.map(([name, [source]]) => ({ in: source, out: `entries/${name}` })),
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  plugins: [places],
  logLevel: 'warning',
});
const paths = Object.fromEntries(exported.map(([name]) => [name, [`./entries/${name}.mjs`]]));
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...compilerOptions, paths } }));
