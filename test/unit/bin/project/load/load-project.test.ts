import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadProject } from '../../../../../bin/project/index.js';
import { loadBundled, placedStore } from '../../../../../bin/project/load/load-project.js';
import { testFolder } from '../../../../support/scratch-folder.js';

const emitter = (name: string): string => `{ name: '${name}', emitModel: () => [] }`;

/** Lists the names of the emitters of a project. */
async function emittersOf(folder: string): Promise<readonly string[]> {
  const project = await loadProject(folder);
  return (project?.emitters ?? []).map(({ name }) => name);
}

describe('loadProject', () => {
  it('finds the nearest configuration above a folder of a package, and none if there is none', async () => {
    const folder = testFolder({
      'package.json': '{}',
      'kindforge.config.yaml': 'out: above',
      'inner/kindforge.config.mjs': "export default { out: 'inner' }",
      'inner/deep/er/file': '',
      'beside/file': '',
    });
    expect((await loadProject(join(folder, 'inner/deep/er')))?.out).toBe(join(folder, 'inner/inner'));
    expect((await loadProject(join(folder, 'beside')))?.out).toBe(join(folder, 'above'));
    const named = await loadProject('/', { file: join(folder, 'inner') });
    expect(named?.file).toBe(join(folder, 'inner/kindforge.config.mjs'));
    expect(named?.directory).toBe(join(folder, 'inner'));
    const nothing = testFolder();
    expect(await loadProject(nothing)).toBeUndefined();
    await expect(loadProject('.', { file: nothing })).rejects.toThrow('no configuration found');
  });

  it('prefers TypeScript to all others', async () => {
    const folder = testFolder({
      'kindforge.config.ts': "export default { out: 'ts' }",
      'kindforge.config.js': "export default { out: 'js' }",
    });
    expect((await loadProject(folder))?.out).toBe(join(folder, 'ts'));
  });

  it.each([
    ['ts', "import { defineConfig } from 'kindforge/config';\nexport default defineConfig("],
    ['mts', "import { defineConfig } from 'kindforge/config';\nexport default defineConfig("],
    ['mjs', 'export default ('],
    ['js', 'export default ('],
  ])('runs .%s, and its imports', async (extension, begin) => {
    const js = extension.includes('ts') ? 'ts' : 'js';
    const folder = testFolder({
      'package.json': '{ "type": "module" }',
      [`kindforge.config.${extension}`]: `import { first } from './parts/first.js';\n${begin}{
        emitters: [first, './parts/second.ts', './parts/more.mjs'],
      });`,
      [`parts/first.${js}`]: `export const first = ${emitter('first')};`,
      'parts/second.ts': `interface Named { readonly name: string }
        const second: Named = ${emitter('second')};
        export default await Promise.resolve(second);`,
      'parts/more.mjs': `export default [${emitter('third')}, ${emitter('fourth')}];`,
    });
    expect(await emittersOf(folder)).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it('reads YAML, and the modules that it names', async () => {
    const folder = testFolder({
      'kindforge.config.yaml': `naming: kubernetes
emitters: [./parts/one.ts]
serve:
  http-port: 8081
  tls-san: [a.example.com, b.example.com]
`,
      'parts/one.ts': `export default ${emitter('one')} as const;`,
    });
    expect(await loadProject(folder)).toMatchObject({
      naming: 'kubernetes',
      emitters: [{ name: 'one' }],
      serve: { 'http-port': 8081, 'tls-san': ['a.example.com', 'b.example.com'] },
    });
  });

  it('resolves folders, files and stores beside the configuration', async () => {
    const folder = testFolder({
      'kindforge.config.yaml': `schemas: definitions
out: src/generated
serve:
  storage: lmdb:data
  credentials-dir: ../credentials
  audit-policy-file: /etc/policy.yaml
  service-account-key-file: [one.pem, two.pem]
  host: data
`,
    });
    expect(await loadProject(folder)).toMatchObject({
      schemas: join(folder, 'definitions'),
      out: join(folder, 'src/generated'),
      serve: {
        storage: `lmdb:${join(folder, 'data')}`,
        'credentials-dir': join(folder, '../credentials'),
        'audit-policy-file': '/etc/policy.yaml',
        'service-account-key-file': [join(folder, 'one.pem'), join(folder, 'two.pem')],
        host: 'data',
      },
    });
  });

  it('has folders by default, the definitions folder only if it exists', async () => {
    const bare = await loadProject(testFolder({ 'kindforge.config.yaml': '' }));
    expect(bare).toMatchObject({ naming: 'platform', serve: {}, controllers: [] });
    expect(bare?.schemas).toBeUndefined();
    expect(bare?.out).toBe(join(bare?.directory ?? '', 'generated'));
    const folder = testFolder({ 'kindforge.config.yaml': '', 'schemas/a.yaml': '' });
    expect((await loadProject(folder))?.schemas).toBe(join(folder, 'schemas'));
  });

  it('runs a module once, however many import it, and reports all files that were run', async () => {
    const folder = testFolder({
      'kindforge.config.ts':
        "import './a.js';\nimport './b.js';\nimport { count } from './count.js';\nexport default { out: String(count()) };",
      'a.ts': "import { count } from './count.js';\ncount();",
      'b.ts': "import { count } from './count.js';\ncount();",
      'count.ts': 'let times = 0;\nexport const count = (): number => ++times;',
    });
    const project = await loadProject(folder);
    expect(project?.out).toBe(join(folder, '3'));
    const names = ['a.ts', 'b.ts', 'count.ts', 'kindforge.config.ts'];
    expect([...(project?.sources ?? [])].sort()).toEqual(names.map((name) => join(folder, name)));
  });
});

it.each([
  ['fs:data', 'fs:/project/data'],
  ['lmdb:data', 'lmdb:/project/data'],
  ['fs:/elsewhere', 'fs:/elsewhere'],
  ['unstorage:fs?base=data', 'unstorage:fs?base=data'],
  ['memory', 'memory'],
])('places %s of a project at %s', (text, placed) => expect(placedStore(text, '/project')).toBe(placed));

describe('loadBundled', () => {
  const config = (value: object) => async () => ({ default: value });

  it('has the folder of the bundle for its definitions and data, and the modules that the configuration names', async () => {
    const directory = testFolder({ 'schemas/a.yaml': '' });
    const project = await loadBundled({
      directory,
      hasSchemas: true,
      hasPages: true,
      config: config({ schemas: '../elsewhere', emitters: ['./src/emitter.ts'], serve: { 'audit-log-path': 'audit' } }),
      modules: { 'src/emitter.ts': config({ name: 'own', emitModel: () => [] }) },
    });
    expect(project).toMatchObject({ directory, static: join(directory, 'static') });
    expect(project).toMatchObject({ schemas: join(directory, 'schemas'), emitters: [{ name: 'own' }] });
    expect(project.serve).toEqual({ 'audit-log-path': join(directory, 'audit') });
  });

  it.each([
    ['the definitions are missing', config({}), true, 'schemas is not there: must hold the definitions'],
    [
      'the configuration has mistakes',
      config({ naming: 'x' }),
      false,
      'naming is "x"; expected platform or kubernetes',
    ],
    ['the configuration throws', () => Promise.reject(new Error('no KEY')), false, 'fails: Error: no KEY'],
    ['there is no configuration', async () => ({}), false, 'the configuration is undefined'],
  ])('rejects if %s', async (_what, read, hasSchemas, words) => {
    const bundle = { directory: testFolder(), hasSchemas, hasPages: false, config: read, modules: {} };
    await expect(loadBundled(bundle)).rejects.toThrow(words);
  });
});
