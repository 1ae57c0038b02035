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
  // From the sources, all of Kindforge is compiled first.
  test: { include: ['examples/{controllers,testing}/*.test.ts'], testTimeout: 120_000 },
});
