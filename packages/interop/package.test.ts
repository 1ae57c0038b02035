/** Builds the package, installs it into a new project, and uses it from there as a program would. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildPackage, linkModules, manifest } from '../../test/support/package-build.js';
import { scratchFolder } from '../../test/support/scratch-folder.js';
import { root } from '../../test/support/shared.js';

/** One export of each entry point. */
const entries: Readonly<Record<string, string>> = {
  kindforge: 'createClient',
  'kindforge/cel': 'compileExpression',
  'kindforge/client': 'createClientFrom',
  'kindforge/client/node': 'loadKubeconfig',
  'kindforge/config': 'defineConfig',
  'kindforge/contract': 'forbiddenObject',
  'kindforge/generator': 'createGenerator',
  'kindforge/server': 'startServer',
  'kindforge/storage': 'openStore',
  'kindforge/testing': 'startTestServer',
};

const published = Object.entries(manifest.exports).filter(([name]) => name !== './package.json');

/** A part of the output of `npm pack --json`. */
interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

describe('the package', () => {
  const project = scratchFolder();
  let packed: Packed;
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

  beforeAll(() => {
    linkModules(project);
    buildPackage(join(project, 'node_modules/kindforge'));
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    [packed] = JSON.parse(pack()) as [Packed];
  }, 600_000);

  it('publishes the same entry points as the sources have during development', () => {
    const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
    const sources = published.map(([name, target]) => {
      const file = typeof target === 'string' ? target : target.default;
      return [name.replace('.', 'kindforge'), [file.replace('./dist/', './').replace(/\.js$/, '.ts')]];
    });
    expect(compilerOptions.paths).toEqual(Object.fromEntries(sources));
    expect(Object.keys(entries).sort()).toEqual(Object.keys(compilerOptions.paths).sort());
  });

  it.each(['.', 'packages/create-kindforge'])('names its repository, and can be published: %s', (folder) => {
    const { repository, homepage, bugs, keywords, license } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    );
    expect(repository.url).toMatch(/^git\+https:.*\.git$/);
    expect([homepage, bugs].every((url) => URL.canParse(url))).toBe(true);
    expect([keywords.length > 3, license]).toEqual([true, 'Apache-2.0']);
    const args = ['publish', '--dry-run', '--ignore-scripts', '--json'];
    const { stderr } = spawnSync('npm', args, { cwd: join(root, folder), encoding: 'utf8' });
    // Npm corrects mistakes in a manifest, and reports them.
    expect(stderr).not.toMatch(/auto-corrected|npm (error|ERR!)/);
  });

  it('stays below 4.0 MB, and contains no sources and tests', () => {
    expect(packed.size).toBeLessThan(4_000_000);
    const strange = packed.files
      .map(({ path }) => path)
      .filter(
        (path) =>
          !/^(dist\/.*\.(js|cjs|d\.ts|proto)|dist\/testing\/image-\w+\.json|dist\/console\/(index\.html|icon\.svg|assets\/[\w.-]+\.css)|schemas\/.*\.(yaml|json)|[A-Z]+(\.md)?|package\.json)$/.test(
            path,
          ),
      );
    expect(strange).toEqual([]);
    expect(packed.files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'CHANGELOG.md', 'dist/bin/kindforge.cjs']),
    );
  });

  it('has no minified files except the program of the command and the console', () => {
    const dense = packed.files.filter(({ path, size }) => {
      if (!/\.c?js$/.test(path) || path.startsWith('dist/console/')) return false;
      return size > 200 * readFileSync(join(project, 'node_modules/kindforge', path), 'utf8').split('\n').length;
    });
    expect(dense.map(({ path }) => path)).toEqual(['dist/bin/program.cjs']);
  });

  it('keeps the names of functions in the program, because stack traces show them', () => {
    const program = readFileSync(join(project, 'node_modules/kindforge/dist/bin/program.cjs'), 'utf8');
    expect(program).toContain('async function commitCreate(');
  });

  it('has a manifest without mistakes that publint finds', async () => {
    const tarball = new Blob([readFileSync(join(project, packed.filename))]).stream();
    const { messages } = await publint({ pack: { tarball }, strict: true });
    expect(messages).toEqual([]);
  });

  it('can be imported by each of its entry points', () => {
    const names = JSON.stringify(Object.keys(entries));
    const script = `for (const name of ${names}) console.log(name, ...Object.keys(await import(name)))`;
    const lines = run('--input-type=module', '-e', script).trim().split('\n');
    const missing = lines.filter((line) => {
      const [name = '', ...exported] = line.split(' ');
      return !exported.includes(entries[name] ?? '');
    });
    expect(missing).toEqual([]);
    expect(lines).toHaveLength(Object.keys(entries).length);
  });

  it('generates code, and its server works with the generated client', () => {
    cpSync(join(root, 'examples/shop/schemas'), join(project, 'schemas'), { recursive: true });
    run('node_modules/kindforge/dist/bin/kindforge.cjs', 'generate', '--schemas', 'schemas', '--out', 'generated');
    writeFileSync(join(project, 'program.ts'), program);
    expect(compile(['program.ts'])).toEqual([]);
    expect(run('out/program.js').trim()).toBe('1 large function');
  });

  it('has declarations and generates code that pass under the strictest settings', () => {
    const roots = ['generated/index.ts', 'generated/registry.ts', 'generated/shop.example.com/v1/widgets/validator.ts'];
    expect(compile(roots, strictest)).toEqual([]);
  });

  it('has entry points that fit each other under the strictest settings', () => {
    writeFileSync(join(project, 'doors.ts'), doors);
    expect(compile(['doors.ts'], { ...strictest, skipLibCheck: true })).toEqual([]);
  });

  it('takes snapshots, restores them, and checks them', () => {
    run('--input-type=module', '-e', storing);
    const storage = (...args: string[]): string =>
      run('node_modules/kindforge/dist/bin/kindforge.cjs', 'storage', ...args);
    expect(storage('snapshot', 'snapshot', '--storage', 'lmdb:data')).toContain('snapshot: 1 object,');
    expect(storage('restore', 'snapshot', '--storage', 'lmdb:other')).toContain('lmdb:other: 1 object,');
    expect(storage('verify', '--storage', 'lmdb:other')).toContain('nothing is damaged');
  });

  /** Runs `npm pack`, and returns its output in JSON. */
  function pack(): string {
    return execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
      cwd: join(project, 'node_modules/kindforge'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }

  /** Type-checks files of the project under strict settings and prints them as JavaScript. */
  function compile(roots: readonly string[], further: ts.CompilerOptions = {}): string[] {
    const options: ts.CompilerOptions = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      skipLibCheck: true,
      rootDir: project,
      outDir: join(project, 'out'),
      typeRoots: [join(project, 'node_modules/@types')],
      types: ['node'],
      ...further,
    };
    const paths = roots.map((path) => join(project, path));
    const compiled = ts.createProgram(paths, options);
    const diagnostics = [...ts.getPreEmitDiagnostics(compiled), ...compiled.emit().diagnostics];
    return diagnostics.map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  }
});

/** The strictest settings of TypeScript. They include the package's own declarations. */
const strictest: ts.CompilerOptions = {
  declaration: true,
  isolatedDeclarations: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  skipLibCheck: false,
};

/** A program as users might write it. It uses every part of the package. */
const program = `
import { createClient as createBuiltin } from 'kindforge';
import { inProcessTransport, isInvalid } from 'kindforge/client';
import { type KindHandlers, platformNaming } from 'kindforge/contract';
import { attributeReader, builtinKinds, createServer } from 'kindforge/server';
import { memoryBackend, openStore } from 'kindforge/storage';
import { createClient } from './generated/client.js';
import { registry } from './generated/registry.js';
import { defineWidgetHandlers, widgetHandlers } from './generated/shop.example.com/v1/widgets/handlers.js';

const own: KindHandlers = defineWidgetHandlers({ columns: {} });
const builtin = builtinKinds(platformNaming);
const modules = [...builtin.modules, ...registry];
const handlers = [...builtin.handlers, own];
const readAttributes = attributeReader(modules, platformNaming, handlers, builtin.conversions);
const store = await openStore({ backend: memoryBackend(), readAttributes });
const server = createServer({
  ...builtin,
  modules,
  handlers,
  naming: platformNaming,
  store,
  anonymous: { name: 'me', uid: '', groups: [], extra: {} },
  productVersion: '1.0.0',
});
const transport = inProcessTransport(server.handle);
await createBuiltin({ transport }).core.v1.namespaces.create({ metadata: { name: 'default' } });
const widgets = createClient({ transport }).shop.v1.widgets.in('default');
const { spec } = await widgets.create({ metadata: { name: 'door' }, spec: { size: 'large' } });
try {
  await widgets.create({ metadata: { name: 'gate' }, spec: { size: 'small', count: -1 } });
} catch (error) {
  if (!isInvalid(error)) throw error;
}
console.log(spec.count, spec.size, typeof widgetHandlers(server).list);
await store.close();
`;

/** A program that passes the values of one entry point to another. The test compiles it, but never runs it. */
const doors = `
import { createServer as createHttp } from 'node:http';
import { createClient } from 'kindforge';
import { type ClientOptions, discover, inProcessTransport, WriteObservers } from 'kindforge/client';
import { defineController, loadConnection, loadKubeconfig } from 'kindforge/client/node';
import { type AdmissionPlugin, type Authenticator, type Authorizer, platformNaming } from 'kindforge/contract';
import {
  attributeReader,
  builtinKinds,
  createServer,
  garbageCollector,
  type ListeningServer,
  registry,
  type RunningServer,
  startServer,
} from 'kindforge/server';
import { memoryBackend, openStore } from 'kindforge/storage';
import { startTestServer, type TestServer, testServerFixtures } from 'kindforge/testing';

export async function reach(server: ListeningServer | RunningServer, tests: TestServer): Promise<void> {
  const options: readonly ClientOptions[] = [
    { transport: inProcessTransport(server.handle) },
    { transport: inProcessTransport(server.enter, { authorization: 'Bearer x' }), writes: new WriteObservers() },
    { transport: inProcessTransport(tests.server.handle) },
    server.client(),
    tests.client,
    tests.asUser('jane').client,
    { kubeconfig: await loadKubeconfig() },
    { kubeconfig: await loadConnection() },
  ];
  for (const one of options) await discover(one);
  createClient(tests.client);
  createHttp(server.listener);
}

export async function assemble(
  authenticator: Authenticator,
  authorizer: Authorizer,
  plugin: AdmissionPlugin,
): Promise<void> {
  const kinds = builtinKinds(platformNaming);
  const readAttributes = attributeReader(kinds.modules, platformNaming, kinds.handlers, kinds.conversions);
  const store = await openStore({ backend: memoryBackend(), readAttributes });
  const authenticators = [authenticator];
  const server = createServer({ ...kinds, naming: platformNaming, store, productVersion: '1', authenticators, authorizer });
  inProcessTransport(server.handle);
  const controllers = ['*', defineController({ name: 'own', watches: [], reconcile: async () => {} }), garbageCollector];
  const given = { kinds: [builtinKinds, { modules: registry }, kinds], controllers, admission: { plugins: [plugin] } };
  const access = { authentication: { authenticators }, authorization: { authorizer } };
  await startServer({ ...given, ...access, storage: { backend: memoryBackend() } });
  const tests = await startTestServer({ ...given, ...access });
  testServerFixtures({ ...given, faults: tests.faults.recording });
}
`;

/** Stores an object in a folder. */
const storing = `
import { lmdbBackend, openStore } from 'kindforge/storage';
const attributes = { labels: {}, fields: {} };
const store = await openStore({ backend: lmdbBackend('data'), readAttributes: () => attributes });
const next = { text: '{"metadata":{"resourceVersion":""}}', revisionAt: 32, attributes };
await store.commit({ key: 'g/things/a', expected: 0, next });
await store.close();
`;
