/** Test servers and tests share the modules of a project, under vitest and under Node's own test runner. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { startTestServer } from '../../../testing/index.js';
import { bundled } from '../../support/bundled.js';
import { testFolder } from '../../support/scratch-folder.js';
import { root } from '../../support/shared.js';

const counter = `export const runs: string[] = [];
export default {
  name: 'counter',
  async run({ signal, onReady }: { signal: AbortSignal; onReady: () => void }) {
    runs.push('run');
    onReady();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  },
};
`;

const configurations = {
  'kindforge.config.ts': `import counter from './parts/counter.js';\nexport default { controllers: [counter] };\n`,
  'kindforge.config.mjs': `import counter from './parts/counter.ts';\nexport default { controllers: [counter] };\n`,
  'kindforge.config.yaml': 'controllers: [./parts/counter.ts]\n',
};

it.each(Object.entries(configurations))('runs the controller of %s that a vitest test imports', async (name, text) => {
  const folder = testFolder({ [name]: text, 'parts/counter.ts': counter });
  const { runs } = await import(join(folder, 'parts/counter.ts'));
  await using server = await startTestServer({ project: folder, controllers: ['counter'] });
  expect(runs).toEqual(['run']);
  await server.reset();
});

it('explains why a configuration cannot be imported', async () => {
  const folder = testFolder({ 'kindforge.config.ts': "const why = 'broken';\nthrow new Error(why);\n" });
  await expect(startTestServer({ project: folder })).rejects.toThrow(/kindforge\.config\.ts:2:\d+: broken$/);
});

const nodeTest = () => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useTestServer } from '${pathToFileURL(bundled('testing/index.ts')).href}';
import { runs } from './parts/counter.js';

const server = useTestServer({ project: 'TYPE', controllers: ['counter'] });
test('is the same', () => {
  assert.ok(server().url);
  assert.deepEqual(runs, ['run']);
});
`;

const packageOf = (type: string) => ({
  [`${type}/package.json`]: JSON.stringify({ type }),
  [`${type}/kindforge.config.ts`]: configurations['kindforge.config.ts'],
  [`${type}/parts/counter.ts`]: counter,
  [`${type}/same.test.ts`]: nodeTest().replace('TYPE', type),
});

it('runs the controller that a test of Node imports, in packages of ES modules and of CommonJS', () => {
  const folder = testFolder({ ...packageOf('module'), ...packageOf('commonjs') });
  const loader = pathToFileURL(join(root, 'node_modules/tsx/dist/loader.mjs')).href;
  const files = ['module/same.test.ts', 'commonjs/same.test.ts'];
  const { stdout } = spawnSync(process.execPath, ['--import', loader, '--test', ...files], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') },
  });
  expect(stdout).toContain('# pass 2');
});
