/**
 * Makes TypeScript clients from the unchanged documents of a server with other generators. Each client passes under
 * strict settings, and a program orders a widget with it. The commands are on the page `docs/openapi-clients.md`.
 */
import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtCommand } from '../../../test/support/built-command.js';
import { scratchFolder } from '../../../test/support/scratch-folder.js';
import type { ListeningServer } from '../../../test/support/serving.js';
import { root } from '../../../test/support/shared.js';
import { forms, languages, startWithWidgets } from './servers.js';

const run = promisify(execFile);
const modules = join(root, 'packages/interop/node_modules');
const programs = join(languages, 'programs');
const loader = join(root, 'node_modules/tsx/dist/loader.mjs');

/** The command of each generator, for `npx`. */
const commands = {
  'openapi-typescript': 'openapi-typescript shop.json -o shop.ts --default-non-nullable=false --empty-objects-unknown',
  'hey-api': 'openapi-ts -i shop.json -o client',
  orval: 'orval --config orval.config.cjs',
  'openapi-generator':
    'openapi-generator generate -i shop.json -g typescript-axios -o client --additional-properties=useSingleRequestParameter=true',
} as const;
type Generator = keyof typeof commands;
const names = Object.keys(commands) as readonly Generator[];

const hasJava = spawnSync('java', ['-version']).status === 0;
const runsHere = names.filter((name) => name !== 'openapi-generator' || hasJava);

/** The lines that each program prints. */
const story = [
  'created large 1',
  'listed door',
  'patched 2',
  'applied red',
  'made 1',
  'refused 422 true',
  'deleted 200',
  'seen MODIFIED 2',
  'seen MODIFIED 2',
  'seen MODIFIED 2',
  'seen DELETED 2',
];

const strict = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
  },
  include: ['**/*.ts'],
};

const folder = scratchFolder();
beforeAll(() => {
  symlinkSync(modules, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});

/** Makes a folder for a program, with a document. */
async function project(name: string, document: string): Promise<string> {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, 'shop.json'), document);
  writeFileSync(join(path, 'tsconfig.json'), JSON.stringify(strict));
  return path;
}

/** Runs a command of the installed packages. */
const npx = async (command: string, cwd: string): Promise<void> => {
  const [name = '', ...args] = command.split(' ');
  await run(join(modules, '.bin', name), args, { cwd, maxBuffer: 64 * 1024 * 1024 });
};

/** Returns the errors of the compiler about a folder under strict settings; empty without errors. */
async function typeErrors(cwd: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const failed = (error: { readonly stdout: string }) => error;
  return (await run(process.execPath, [tsc, '-p', '.'], { cwd }).catch(failed)).stdout.slice(0, 2000);
}

const documentOf = async (url: string): Promise<string> => {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  return answer.text();
};

it('has the commands of the page', () => {
  const page = readFileSync(join(root, 'docs/openapi-clients.md'), 'utf8');
  expect(names.filter((name) => !page.includes(`\n$ npx ${commands[name]}\n`))).toEqual([]);
});

it.skipIf(!hasJava)('includes openapi-generator (skipped if java is not installed)', () =>
  expect(runsHere).toEqual(names),
);

describe.each(forms)('the document of a %s', (form) => {
  let running: ListeningServer;
  beforeAll(async () => {
    running = await startWithWidgets(form);
  });
  afterAll(() => running.stop());

  it.each(runsHere)('becomes a client in %s', async (name) => {
    const document = await documentOf(`${running.url}/openapi/v3/apis/shop.example.com/v1`);
    const path = await project(`${form}-${name}`, document);
    await orderWith(name, path, running.url);
  });
});

describe('the file that generate writes', () => {
  let running: ListeningServer;
  let document: string;
  beforeAll(async () => {
    running = await startWithWidgets('ResourceDefinition');
    const out = join(folder, 'generated');
    const schemas = join(root, 'examples/shop/schemas');
    await run(process.execPath, [builtCommand(), 'generate', '--schemas', schemas, '--out', out]);
    document = readFileSync(join(out, 'openapi/v3/shop.example.com/v1.json'), 'utf8');
  });
  afterAll(() => running.stop());

  it.each(runsHere)('becomes a client in %s', async (name) => {
    await orderWith(name, await project(`file-${name}`, document), running.url);
  });
});

/** Generates a client, checks it together with its program, and runs the program. */
async function orderWith(name: Generator, path: string, url: string): Promise<void> {
  for (const file of ['events.ts', `${name}.ts`]) copyFileSync(join(programs, file), join(path, file));
  const config = readFileSync(join(programs, 'orval.config.cjs'), 'utf8');
  writeFileSync(join(path, 'orval.config.cjs'), config.replace('http://127.0.0.1:8080', url));
  await npx(commands[name], path);
  expect(await typeErrors(path)).toBe('');
  const { stdout } = await run(process.execPath, ['--import', loader, `${name}.ts`, url], { cwd: path });
  expect(stdout.trimEnd().split('\n')).toEqual(story);
}

describe('documents of all built-in kinds', () => {
  let running: ListeningServer;
  beforeAll(async () => {
    running = await startWithWidgets('ResourceDefinition');
  });
  afterAll(() => running.stop());

  const fetchClient = '-g typescript-fetch --additional-properties=typescriptThreePlus=true';
  const fromSwagger = {
    'hey-api': commands['hey-api'],
    orval: 'orval --input shop.json --output shop.ts --client fetch',
    'openapi-generator': `openapi-generator generate -i shop.json -o client ${fetchClient}`,
  } as const;

  it.each(runsHere.filter((name) => name !== 'openapi-typescript'))(
    'pass under strict settings, from Swagger 2.0: %s',
    async (name) => {
      const path = await project(`all-${name}`, await documentOf(`${running.url}/openapi/v2`));
      await npx(fromSwagger[name], path);
      expect(await typeErrors(path)).toBe('');
    },
  );

  it('pass under strict settings, from OpenAPI 3: openapi-typescript', async () => {
    const { paths } = JSON.parse(await documentOf(`${running.url}/openapi/v3`));
    const path = await project('all', '{}');
    const apis = Object.keys(paths).map((name, index) => ({ name, index }));
    expect(apis.length).toBeGreaterThan(40);
    for (const { name, index } of apis) {
      writeFileSync(join(path, `${index}.json`), await documentOf(`${running.url}/openapi/v3/${name}`));
    }
    const config = apis.map(({ index }) => [
      `a${index}`,
      { root: `${index}.json`, 'x-openapi-ts': { output: `${index}.ts` } },
    ]);
    writeFileSync(join(path, 'redocly.yaml'), JSON.stringify({ apis: Object.fromEntries(config) }));
    await npx('openapi-typescript', path);
    expect(await typeErrors(path)).toBe('');
  });

  it('need a media type in requests of hey-api, as in Kubernetes', async () => {
    const path = await project('core', await documentOf(`${running.url}/openapi/v3/api/v1`));
    await npx(commands['hey-api'], path);
    writeFileSync(join(path, 'core.ts'), coreProgram);
    expect(await typeErrors(path)).toBe('');
    const { stdout } = await run(process.execPath, ['--import', loader, 'core.ts', running.url], { cwd: path });
    expect(stdout.trimEnd().split('\n')).toEqual(['415', 'created text']);
  });
});

const coreProgram = `
import { client } from './client/client.gen.js';
import { createCoreV1NamespacedConfigMap } from './client/index.js';

client.setConfig({ baseUrl: process.argv[2] ?? '' });
const request = { path: { namespace: 'default' }, body: { metadata: { name: 'a' }, data: { key: 'text' } } };
console.log((await createCoreV1NamespacedConfigMap(request)).response?.status);
const headers = { 'Content-Type': 'application/json' };
console.log('created', (await createCoreV1NamespacedConfigMap({ ...request, headers })).data?.data?.key);
`;
