/** Test settings: which files are tests, and how the package's own names resolve to its sources. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The names that the package publishes, each with the source of what it publishes there. */
const { paths }: { readonly paths: Readonly<Record<string, readonly string[]>> } = JSON.parse(
  readFileSync(source('./tsconfig.json'), 'utf8'),
).compilerOptions;

export default defineConfig({
  resolve: {
    alias: Object.entries(paths).map(([name, [path = '']]) => ({
      find: new RegExp(`^${name}$`),
      replacement: source(path),
    })),
  },
  test: {
    include: ['test/**/*.test.ts'],
    // Ends what hangs; nothing is shown by how long a test takes.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Many tests wait for other processes: with one more than there are processors, these have always something to do.
    maxWorkers: availableParallelism() + 1,
  },
});
