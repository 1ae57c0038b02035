/** A server with the console open in Chromium, for the tests of a page. */
import { currentConsole } from '../../../../bin/current-build.mjs';
import { type DynamicApi, dynamicClient } from '../../../../client/index.js';
import { startServerProcess } from '../../../../test/support/server-process.js';
import type { Page } from '../../../interop/node_modules/playwright-core/index.mjs';
import { type OpenConsole, openConsole } from './open-console.js';

export interface ServedConsole {
  /** As in `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly client: DynamicApi;
  readonly consoles: OpenConsole;
  readonly page: Page;
  close(): Promise<void>;
}

/** Starts a server that lets everybody in, prepares its objects, and opens an address after `/console/`. */
export async function serveConsole(
  address: string,
  flags: readonly string[],
  prepare: (client: DynamicApi) => Promise<unknown> = async () => {},
): Promise<ServedConsole> {
  // The server reads the files when it starts.
  currentConsole();
  const server = await startServerProcess('--storage', 'memory', ...flags);
  const client = dynamicClient({ baseUrl: server.url });
  await prepare(client);
  const consoles = await openConsole(server.url);
  return {
    url: server.url,
    client,
    consoles,
    page: await consoles.open(address),
    async close() {
      await consoles.close();
      await server.kill();
    },
  };
}
