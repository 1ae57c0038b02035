/** Runs the tests of the examples from the sources. A project that has Kindforge installed needs no such file. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { compilerOptions } = JSON.parse(readFileSync(`${root}tsconfig.json`, 'utf8'));

export default defineConfig({
  root,
  resolve: {
    alias: Object.entries<string[]>(compilerOptions.paths).map(([name, [path = '']]) => ({
      find: new RegExp(`^${name}$`),
      replacement: root + path.slice(2),
    })),
  },
  test: {
    include: ['examples/{controllers,testing}/*.test.ts'],
    // From the sources, all of Kindforge is compiled first. The next run finds it compiled.
    testTimeout: 120_000,
    experimental: { fsModuleCache: true },
  },
});
