/** Bundles files that tests run in processes of their own. */
import { copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';
import { buildOnce } from '../../bin/current-build.mjs';
import { root } from './shared.js';

/** Folders and files with all that the files import. */
const sources = [
  ...['bin', 'client', 'contract.ts', 'controllers', 'generated', 'generator', 'package-lock.json', 'plugins'],
  ...['runtime', 'server', 'strategies', 'test/crash', 'test/support', 'testing'],
];
/** Files that sources read from their own folder. */
const beside = ['runtime/storage/etcd/etcd.proto', 'runtime/storage/unstorage/import-module.cjs'];

/**
 * Returns the JavaScript of a TypeScript file with all that it imports, except packages. Tests of the same sources share
 * it, because it starts several times as fast.
 * @param path - the file, from the root of the checkout.
 */
export function bundled(path: string): string {
  const name = `${basename(path, '.ts')}.mjs`;
  const folder = buildOnce(`bundle-${join(path).replaceAll(/\W+/g, '-')}`, sources, (making) => {
    const { metafile } = buildSync({
      absWorkingDir: root,
      metafile: true,
      entryPoints: [join(root, path)],
      outfile: join(making, name),
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      packages: 'external',
      sourcemap: 'linked',
      logLevel: 'warning',
    });
    const other = Object.keys(metafile.inputs).find((input) => !sources.some((source) => input.startsWith(source)));
    if (other !== undefined) throw new Error(`a change of ${other} would be overlooked: add its folder to the sources`);
    for (const file of beside) copyFileSync(join(root, file), join(making, basename(file)));
  });
  return join(folder, name);
}
