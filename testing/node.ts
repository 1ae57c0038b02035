/** A fixture for Node's own test runner. A call of the fixture loads the runner. */
import { createRequire } from 'node:module';
import type { TestServerOptions } from './options.js';
import { startTestServer } from './start-test-server.js';
import type { TestServer } from './test-server.js';

/**
 * Starts a server before the first test of a file or a suite, resets it after each, and disposes of it after the last.
 * Call the returned function within tests.
 */
export function useTestServer(options: TestServerOptions = {}): () => TestServer {
  const { after, afterEach, before } = nodeRunner();
  let server: TestServer | undefined;
  before(async () => {
    server = await startTestServer(options);
  });
  afterEach(() => server?.reset());
  after(() => server?.dispose());
  return () => {
    if (server) return server;
    throw new Error('the server starts before the first test; ask for it within one');
  };
}

/** Loads the runner without waiting, because tests must set their hooks while Node loads their file. */
const nodeRunner = (): typeof import('node:test') => createRequire(import.meta.url)('node:test');
