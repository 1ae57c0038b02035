/** A project in one file: bundled, copied elsewhere, and started with only Node. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { builtCommand } from '../support/built-command.js';
import { hasPostgres, postgresOrWhyNot, startPostgres } from '../support/postgres.js';
import { scratchFolder, testFolder } from '../support/scratch-folder.js';
import { root } from '../support/shared.js';

const definition = `
apiVersion: kindforge.dev/v1
kind: ResourceDefinition
metadata: { name: lamps.light.example.com }
spec:
  group: light.example.com
  names: { plural: lamps, kind: Lamp }
  scope: Namespaced
  versions:
    - { name: v1, storage: true, schema: { openAPIV3Schema: { type: object, properties: { watts: { type: integer } } } } }
`;
const files = {
  'package.json': '{}',
  'schemas/lamps.yaml': definition,
  'web/index.html': '<h1>lamps</h1>',
  'src/bright.ts': `
    import { defineAdmissionPlugin, forbiddenObject, forKind } from 'kindforge/contract';
    export default defineAdmissionPlugin({
      name: 'Bright',
      ...forKind({ apiVersion: 'light.example.com/v1', kind: 'Lamp', operations: ['CREATE'] }, {
        validate: ({ name, object, resource }) =>
          Number(object?.watts) > 100 ? forbiddenObject(resource.group, 'lamps', name, 'too bright') : undefined,
      }),
    });`,
  'kindforge.config.ts': `
    import { defineConfig } from 'kindforge/config';
    export default defineConfig({
      admissionPlugins: ['./src/bright.ts'],
      static: 'web',
      routes: (app) => app.get('/bright', ({ context }) => context.user?.name),
      serve: { 'allow-everyone': true, storage: 'lmdb:data' },
    });`,
};

const folder = scratchFolder(files);
const alone = scratchFolder();
// The project has installed the client of PostgreSQL.
mkdirSync(join(folder, 'node_modules'), { recursive: true });
symlinkSync(join(root, 'node_modules/pg'), join(folder, 'node_modules/pg'));

const bundle = (cwd: string, ...flags: readonly string[]): { readonly code: number | null; readonly text: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [builtCommand(), 'bundle', ...flags], {
    cwd,
    encoding: 'utf8',
  });
  return { code: status, text: `${stdout}${stderr}` };
};

it('serves with the code and the definitions of the project, and keeps its data beside itself', async () => {
  expect(bundle(folder)).toMatchObject({ code: 0, text: expect.stringContaining('node bundle/server.cjs') });
  cpSync(join(folder, 'bundle'), alone, { recursive: true });
  const flags = ['--http-port', 'auto', '--secure-port', '0', '--output', 'json'];
  const child = spawn(process.execPath, [join(alone, 'server.cjs'), ...flags], { cwd: '/', env: {} });
  const ended = once(child, 'exit').then(() => [String(child.stderr.read())]);
  const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
  const lamps = `${JSON.parse(String(line)).address}/apis/light.example.com/v1/namespaces/default/lamps`;
  const create = async (name: string, watts: number): Promise<[number, string]> => {
    const body = JSON.stringify({ metadata: { name }, watts });
    const response = await fetch(lamps, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    return [response.status, await response.text()];
  };
  expect(await create('dim', 5)).toMatchObject([201, expect.anything()]);
  expect(await create('sun', 500)).toMatchObject([403, expect.stringContaining('too bright')]);
  const at = (path: string) =>
    fetch(new URL(path, lamps), { headers: { accept: 'text/html' } }).then((one) => one.text());
  expect(await at('/')).toBe('<h1>lamps</h1>');
  expect(await at('/bright')).toBe('system:admin');
  child.kill();
  await once(child, 'exit');
  expect(readdirSync(join(alone, 'data'))).toContain('data.mdb');
});

it('prints the size of all that it wrote, without what was there', () => {
  const project = testFolder({ ...files, 'web/lamps.bin': 'x'.repeat(40e6) });
  const megabytes = (): number => Number(/^([\d.]+) MB; start it with/m.exec(bundle(project).text)?.[1]);
  const first = megabytes();
  const written = readdirSync(join(project, 'bundle'), { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(project, 'bundle', name)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
  expect(first).toBeGreaterThan(40);
  expect(first).toBeCloseTo(written / 1e6, 0);
  writeFileSync(join(project, 'bundle/data'), 'x'.repeat(40e6));
  expect(megabytes()).toBe(first);
});

it('runs other commands as well, and prints its version', () => {
  const run = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [join(alone, 'server.cjs'), ...args], { encoding: 'utf8', cwd: alone, env: {} });
  expect(run('storage', 'verify', '--storage', 'lmdb:data')).toContain('nothing is damaged');
  expect(run('--help')).toContain('kindforge serve');
});

it.runIf(hasPostgres)(`has the client of ${postgresOrWhyNot}, if the project has it`, async () => {
  const postgres = await startPostgres({ password: 'x' });
  onTestFinished(() => postgres.dispose());
  const args = [join(alone, 'server.cjs'), 'storage', 'verify', '--storage', postgres.url];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: {} });
  expect(stderr).toContain('PostgreSQL has no data of Kindforge');
  expect(status).toBe(2);
});

it('names the missing definitions if they were not copied', () => {
  rmSync(join(alone, 'schemas'), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, [join(alone, 'server.cjs')], { encoding: 'utf8', env: {} });
  expect(stderr).toContain('schemas is not there: must hold the definitions; copy the whole folder of the bundle');
  expect(status).toBe(2);
});

it('refuses a folder with other content, and does not change it', () => {
  const other = testFolder({ ...files, 'mine/notes': 'mine' });
  expect(bundle(other, '--out', 'mine')).toMatchObject({
    code: 2,
    text: expect.stringContaining('mine must be empty or hold a bundle'),
  });
  expect(readdirSync(join(other, 'mine'))).toEqual(['notes']);
  writeFileSync(join(other, 'mine/server.cjs'), '');
  expect(bundle(other, '--out', 'mine').code).toBe(2);
  expect(readdirSync(join(other, 'mine'))).toEqual(['notes', 'server.cjs']);
});

it('takes the place of an earlier bundle, and keeps the data of a server that ran there', () => {
  const content = (): readonly string[] => readdirSync(join(folder, 'bundle')).sort();
  const before = content();
  mkdirSync(join(folder, 'bundle/data'));
  writeFileSync(join(folder, 'bundle/schemas/old.yaml'), '');
  expect(bundle(folder).code).toBe(0);
  expect(content()).toEqual([...before, 'data'].sort());
  expect(readdirSync(join(folder, 'bundle/schemas'))).toEqual(['lamps.yaml']);
});

it('refuses definitions with mistakes, and code that cannot be bundled, with the place', () => {
  const other = testFolder(files);
  cpSync(join(folder, 'bundle'), join(other, 'bundle'), { recursive: true });
  writeFileSync(join(other, 'src/bright.ts'), "import { gone } from './gone.js';\nexport default gone;\n");
  const { code, text } = bundle(other);
  expect(text).toMatch(/src\/bright\.ts.*gone\.js/);
  expect(code).toBe(2);
  // The earlier bundle stays.
  expect(readdirSync(join(other, 'bundle'))).toContain('server.cjs');
  writeFileSync(join(other, 'schemas/lamps.yaml'), definition.replace('integer', 'whole'));
  writeFileSync(join(other, 'src/bright.ts'), files['src/bright.ts']);
  expect(bundle(other)).toMatchObject({ code: 1, text: expect.stringContaining('KF2006') });
  expect(bundle(testFolder({ 'package.json': '{}' }))).toMatchObject({
    code: 2,
    text: expect.stringContaining('the working folder has no project'),
  });
});
