import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { testFolder } from '../../support/scratch-folder.js';
import { root } from '../../support/shared.js';

/** Empties its folder as Vite does, and writes the page once the test has written `go`. */
const vite = `
  import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
  const at = process.argv.indexOf('--outDir');
  const folder = at < 0 ? 'packages/console/dist' : process.argv[at + 1];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync('began-' + process.pid, '');
  setInterval(() => {
    if (!existsSync('go')) return;
    writeFileSync(folder + '/index.html', 'new');
    process.exit();
  }, 20);
`;
const start = "import { buildConsole } from './bin/current-build.mjs'; buildConsole(); setInterval(() => {}, 1000);";

it('keeps the earlier console until a new one is whole, although two processes build it at once and end', async () => {
  const folder = testFolder({
    'package.json': '{ "type": "module" }',
    'node_modules/vite/bin/vite.js': vite,
    'packages/console/dist/index.html': 'earlier',
    ...Object.fromEntries(
      ['package-lock.json', 'packages/console/index.html', 'packages/console/vite.config.ts'].map((file) => [file, '']),
    ),
  });
  for (const name of ['bin', 'client', 'packages/console/build', 'packages/console/src', 'plugins', 'runtime']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  mkdirSync(join(folder, 'server/access'), { recursive: true });
  for (const name of ['bin/current-build.mjs', 'bin/build-console.mjs'])
    copyFileSync(join(root, name), join(folder, name));
  const servers = [1, 2].map(() =>
    spawn(process.execPath, ['--input-type=module', '-e', start], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  const go = (): void => writeFileSync(join(folder, 'go'), '');
  onTestFinished(() => {
    for (const server of servers) server.kill();
    go();
  });
  const dist = join(folder, 'packages/console/dist');
  const page = (): string => readFileSync(join(dist, 'index.html'), 'utf8');
  await expect.poll(() => readdirSync(folder).filter((name) => name.startsWith('began-'))).toHaveLength(2);
  expect(page()).toBe('earlier');
  for (const server of servers) {
    server.kill();
    await once(server, 'exit');
  }
  go();
  await expect.poll(() => existsSync(join(dist, 'stamp')) && readdirSync(join(folder, '.kindforge'))).toEqual([]);
  expect(page()).toBe('new');
});
