/** Starts a server in the test's own process, with the flags of the command. */
import { Command } from 'commander';
import { afterAll, beforeAll } from 'vitest';
import { addFlags } from '../../bin/flags/flag.js';
import { type ServeFlags, serveFlagGroups } from '../../bin/flags/serve/index.js';
import { readServeOptions } from '../../bin/flags/serve-options.js';
import { type ListeningServer, startServer } from '../../server/index.js';

export type { ListeningServer } from '../../server/index.js';

const command = new Command();
addFlags(command, serveFlagGroups);

/** Flags of a server in memory, on a free port. All other flags have the command's defaults. */
export const usualFlags: ServeFlags = {
  ...command.opts<ServeFlags>(),
  httpPort: 'auto',
  securePort: '0',
  storage: 'memory',
};

/** The flags that a test sets. */
export type ServingFlags = Partial<ServeFlags>;

/** Starts a server with every built-in kind, unless the flags say otherwise. */
export const startServing = (flags: ServingFlags = {}): Promise<ListeningServer> =>
  startServer(readServeOptions({ ...usualFlags, ...allKinds, ...letIn(flags), ...flags }));

/**
 * Starts a server for the tests of a file or of a `describe`, and stops it after them. Returns a function that returns
 * the server, from `beforeAll` on. Flags that do not exist earlier come from a function.
 */
export function servingForTests(flags: ServingFlags | (() => ServingFlags) = {}): () => ListeningServer {
  let running: ListeningServer | undefined;
  beforeAll(async () => {
    running = await startServing(typeof flags === 'function' ? flags() : flags);
  }, 300_000);
  afterAll(() => running?.stop());
  return () => {
    if (running === undefined) throw new Error('the server starts before the tests, and not before their collection');
    return running;
  };
}

const allKinds: ServingFlags = { featureGates: 'DynamicResourceAllocation=true', runtimeConfig: 'api/all=true' };

/** Tests need no credentials unless they set flags about them. */
const letIn = ({ tokenAuthFile, anonymousAuth, credentialsDir, authenticationConfig }: ServingFlags): ServingFlags =>
  (tokenAuthFile ?? anonymousAuth ?? credentialsDir ?? authenticationConfig) === undefined
    ? { allowEveryone: true }
    : {};
