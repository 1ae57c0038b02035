/** Fixtures for vitest. This module does not load vitest: the caller's `test.extend` takes the fixtures. */

import type { TestServerOptions } from './options.js';
import { startTestServer } from './start-test-server.js';
import type { TestServer } from './test-server.js';

/** Passes a fixture to the tests, and continues once they have ended. */
type Use<T> = (value: T) => Promise<void>;

/** The fixtures of a test, for `base.extend<WithTestServer>(…)`. */
export interface WithTestServer {
  /** The server of the file, reset after each test. */
  server: TestServer;
  /** The same server, before the first test and after the last. */
  sharedServer: TestServer;
}

/** Fixtures for `test.extend`. */
export interface TestServerFixtures {
  sharedServer: [(context: object, use: Use<TestServer>) => Promise<void>, { scope: 'file' }];
  server: (context: Pick<WithTestServer, 'sharedServer'>, use: Use<TestServer>) => Promise<void>;
}

/**
 * Returns fixtures that start a server for each test file, at the first test that uses `server`, and reset it after
 * each test: `const test = base.extend<WithTestServer>(testServerFixtures({ … }))`.
 */
export function testServerFixtures(options: TestServerOptions = {}): TestServerFixtures {
  return {
    sharedServer: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads off the braces which fixtures this one needs.
      async ({}, use) => {
        const server = await startTestServer(options);
        try {
          await use(server);
        } finally {
          await server.dispose();
        }
      },
      { scope: 'file' },
    ],
    server: async ({ sharedServer }, use) => {
      try {
        await use(sharedServer);
      } finally {
        await sharedServer.reset();
      }
    },
  };
}
