/**
 * Test settings: which files are tests, which of them take long, and how imports of the package resolve to its sources.
 */
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { runes } from './packages/console/build/runes.js';

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The names that the package exports, each with its source. */
const { paths }: { readonly paths: Readonly<Record<string, readonly string[]>> } = JSON.parse(
  readFileSync(source('./tsconfig.json'), 'utf8'),
).compilerOptions;

/** Tests that take too long for `npm test`; CI runs them. */
const onlyLong = [
  'test/conformance/{cases,rules}.test.ts',
  'test/crash/server.test.ts',
  'packages/console/test/*.test.ts',
  'packages/site/test/{examples,kinds,pictures}.test.ts',
  'packages/interop/{authentication/reloading,client-node,languages/clients,tutorial-page}.test.ts',
  'test/e2e/{deep-objects,docs,live-snapshot,python,tutorial}.test.ts',
  'test/e2e/{slow-lists,storage,storage-faults,systemd}.test.ts',
  'test/e2e/envtest/control-plane.test.ts',
  'test/e2e/kubectl-*.test.ts',
  'test/unit/generator/diff/upgrades.test.ts',
  'test/unit/promises.test.ts',
  'test/unit/runtime/cel/schema/samples.test.ts',
  'test/unit/runtime/schema/crds.test.ts',
  'test/unit/runtime/storage/postgres/failures.test.ts',
  'test/unit/strategies/apiextensions.platform.io/definitions/real-definitions.test.ts',
];

/**
 * Tests that take too long for each change: samples and definitions of others, junk in definitions, full disks, slow
 * clients, stalls, profiles, moved data, installed packages, generators of other languages, more of kubectl and of the
 * console, time limits of comparisons, and the tests of what tests pages.
 */
const beforeRelease = [
  'test/conformance/samples.test.ts',
  'test/crash/transfer.test.ts',
  'packages/console/test/{hostile,object-days,size}.test.ts',
  'packages/{interop/{browsers,installed,languages/generators,openapi-validity,package},tools/api-reference}.test.ts',
  'test/e2e/{disk-full,import,leader-election,long-requests,profiles,slow-watcher,storage-versions}.test.ts',
  'test/e2e/kubectl-{application,explain,namespaces,nodes,output,policies,rollout,validation,workloads}.test.ts',
  'test/unit/docs/harness.test.ts',
  'test/unit/generator/{check/never-throws,definitions-of-others,diff/proof/budget,import/in-use}.test.ts',
  'test/unit/runtime/storage/etcd/cluster.test.ts',
];

/** Folders without their packages, because a plain `npm ci` does not install these. Their tests are skipped. */
const withoutPackages = ['examples/mounting', 'packages/interop', 'packages/tools'].filter(
  (folder) => !existsSync(source(`./${folder}/node_modules`)),
);

/** Tests that try something again and again: a little of it for each change, all of it before a release. */
const moreOften = [
  'packages/interop/cel/packages.test.ts',
  'test/crash/{garbage,history,many-watchers,store}.test.ts',
  'test/e2e/{hostile-input,migration,sdk-cache}.test.ts',
  'test/unit/controllers/garbage-collector/model.test.ts',
  'test/unit/generated/protobuf.test.ts',
  'test/unit/generator/diff/{proof/mutations,upgrades}.test.ts',
  'test/unit/generator/{emit/real-definitions,load/parse-yaml,random-definitions}.test.ts',
  'test/unit/runtime/cel/agreement.test.ts',
  'test/unit/runtime/schema/engine/properties.test.ts',
  'test/unit/runtime/storage/{etcd,lmdb,memory,owner,postgres}-store.test.ts',
  'test/unit/runtime/storage/{backends/{journal,lmdb-damage},unstorage/ownership,unstorage/store}.test.ts',
  'test/unit/strategies/handlers.test.ts',
];

/**
 * The folder for temporary files: in memory if there is room, because a store waits for the disk at each write. A test
 * that kills a process finds the same in both. The tests before a release use the disk.
 */
const quick = { TMPDIR: process.env.TMPDIR === undefined && hasRoom('/dev/shm') ? '/dev/shm' : tmpdir() };

/**
 * The files and folders with the longest tests. The pages come first, because no other file takes half as long. Then
 * come tests that mostly wait: they leave the processors to others.
 */
const longest = [
  ...['e2e/docs', 'conformance/replay', 'e2e/start', 'crash/', 'conformance/', 'e2e/'],
  ...['unit/runtime/storage/', 'unit/runtime/schema/', 'unit/generator/', 'unit/regular-expressions'],
  ...['unit/strategies/handlers', 'unit/generated/', 'unit/english', 'unit/testing/'],
].map((path) => source(`./test/${path}`));

/**
 * Runs the longest tests of each project first, so that at the end no worker has minutes of work while the others have
 * none. A worker keeps its modules only until it gets a test of another project, so projects do not mix.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((path) => moduleId.startsWith(path));
      return found < 0 ? longest.length : found;
    };
    return (await super.sort(files)).sort((a, b) => a.project.name.localeCompare(b.project.name) || rank(a) - rank(b));
  }
}

/**
 * Defines a project of tests. Its files share modules, because loading modules takes longer than most tests. A test
 * must leave nothing behind in a module.
 */
const project = (name: string, include: string[], exclude: string[], env = {}): TestProjectConfiguration => ({
  extends: true,
  test: {
    name,
    include,
    exclude: ['**/node_modules/**', ...withoutPackages.map((folder) => `${folder}/**`), ...exclude],
    env,
    isolate: false,
  },
});

export default defineConfig({
  plugins: [runes],
  resolve: {
    alias: Object.entries(paths).map(([name, [path = '']]) => ({
      find: new RegExp(`^${name}$`),
      replacement: source(path),
    })),
  },
  test: {
    projects: [
      project('unit', ['test/unit/**/*.test.ts'], [...onlyLong, ...beforeRelease], quick),
      project('system', ['{test,packages}/**/*.test.ts'], ['test/unit/**', ...onlyLong, ...beforeRelease], quick),
      project('long', onlyLong, beforeRelease, quick),
      project('often', [...moreOften, ...beforeRelease], [], { KINDFORGE_LONG: '1' }),
    ],
    setupFiles: [source('./test/support/random-seed.ts')],
    sequence: { sequencer: LongestFirst },
    // Ends tests that hang. The time of a test proves nothing.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Keeps transformed modules on disk: a file that starts a server imports 2,000.
    experimental: { fsModuleCache: true },
    reporters: ['default', [source('./test/support/run-reporter.ts'), { withoutPackages }]],
    pool: 'forks',
    // Many tests wait for other processes. Two workers more than processors keep the processors busy.
    maxWorkers: availableParallelism() + 2,
  },
});

/** Returns whether a folder is there, with more free space than all tests take together. */
function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 4 * 2 ** 30;
}
