/** A fixture for Node's own test runner; published as `kindforge/testing/node`. */
import { after, afterEach, before } from 'node:test';
import { startTestServer } from './index.js';
import type { TestServerOptions } from './options.js';
import type { TestServer } from './test-server.js';

/**
 * Starts a server before the first test of a file or a suite, resets it after each, and disposes of it after the last.
 * Call the returned function within tests.
 */
export function useTestServer(options: TestServerOptions = {}): () => TestServer {
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
