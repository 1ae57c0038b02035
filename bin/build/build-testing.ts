/** Adds the server for tests to a build: its loader, and the initial data of new servers. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { imageFile } from '../../testing/images.js';
import { makeImage } from '../../testing/make-image.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = resolve(process.argv[2] ?? 'dist');

await build({
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  entryPoints: ['bin/build/load-testing.ts'],
  outfile: join(folder, 'testing/index.js'),
  logLevel: 'warning',
});
for (const naming of ['platform', 'kubernetes'] as const) {
  writeFileSync(join(folder, 'testing', imageFile(naming)), JSON.stringify(await makeImage(naming)));
}
