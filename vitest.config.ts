/** Test settings: which files are tests, and how the package's own names resolve to its sources. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The names that the package publishes, each with the source of what it publishes there. */
const { paths }: { readonly paths: Readonly<Record<string, readonly string[]>> } = JSON.parse(
  readFileSync(source('./tsconfig.json'), 'utf8'),
).compilerOptions;

/** Folders whose files take longest, as they wait for other processes or try random things again and again. */
const longest = [
  'crash',
  'conformance',
  'e2e',
  'unit/runtime/storage',
  'unit/runtime/schema',
  'unit/strategies/apiextensions.platform.io',
  'unit/generator',
].map((folder) => source(`./test/${folder}/`));

/** Begins with what takes longest, so that at the end no worker has minutes of work while the others have none. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((folder) => moduleId.startsWith(folder));
      return found < 0 ? longest.length : found;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  resolve: {
    alias: Object.entries(paths).map(([name, [path = '']]) => ({
      find: new RegExp(`^${name}$`),
      replacement: source(path),
    })),
  },
  test: {
    projects: [
      // Most of the time of these would be loading the same modules for each file. They are to leave nothing behind in them.
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'], isolate: false } },
      {
        extends: true,
        test: { name: 'system', include: ['test/**/*.test.ts'], exclude: ['test/unit/**'], isolate: false },
      },
    ],
    sequence: { sequencer: LongestFirst },
    // Ends what hangs; nothing is shown by how long a test takes.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Many tests wait for other processes: with one more than there are processors, these have always something to do.
    maxWorkers: availableParallelism() + 1,
  },
});
