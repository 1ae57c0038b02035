/** Test settings: which files are tests, and how the package's own names resolve to its sources. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      'kindforge/contract': source('./runtime/contract/index.ts'),
      'kindforge/client': source('./client/index.ts'),
      'kindforge/schema-support': source('./runtime/schema/support.ts'),
    },
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
  },
});
