/**
 * `npm run install:all`: installs the packages of each folder with a package.json of its own, all at the same time. Then
 * links the packages of drivers in `packages/interop` into the folder of the product, for tests of drivers.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = [
  ...['bench', 'examples/mounting', 'examples/validators', 'examples/web'],
  ...['packages/interop', 'packages/site', 'packages/tools'],
];

/** npm itself: its command has another form on Windows. */
const npm = process.env.npm_execpath ?? '';

async function install(folder) {
  const [code] = await once(
    spawn(process.execPath, [npm, 'ci', '--prefix', folder], { cwd: root, stdio: 'inherit' }),
    'exit',
  );
  if (code !== 0) throw new Error(`npm ci --prefix ${folder} ended with ${code}`);
}

await Promise.all(folders.map(install));
const link = join(root, 'node_modules/@libsql');
rmSync(link, { recursive: true, force: true });
// A junction needs no rights on Windows; other systems make a plain link.
symlinkSync(join(root, 'packages/interop/node_modules/@libsql'), link, 'junction');
