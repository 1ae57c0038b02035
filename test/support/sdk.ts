/** The ways in which the generated client connects to a server, for suites that run over each way. */

import { WebSocket } from 'undici';
import { inProcessTransport } from '../../client/in-process.js';
import { type ClientOptions, webSocketTransport } from '../../client/index.js';
import { type Client, createClient } from '../../generated/client.js';
import { type ServingFlags, startServing } from './serving.js';

/** A server, and the way to make its clients. */
export interface Connected {
  readonly api: Client;
  /** Makes a client with further options. */
  client(options?: ClientOptions): Client;
  stop(): Promise<void>;
}

/** Starts a server and connects to it in this way. */
export type Connect = (flags?: ServingFlags) => Promise<Connected>;

const overHttp =
  (naming: 'platform' | 'kubernetes'): Connect =>
  async (flags) => {
    const running = await startServing({ naming, ...flags });
    const client = (options: ClientOptions = {}) => createClient({ baseUrl: running.url, naming, ...options });
    return { api: client(), client, stop: () => running.stop() };
  };

const inProcess: Connect = async (flags) => {
  const running = await startServing(flags);
  const transport = inProcessTransport(running.handle);
  const client = (options: ClientOptions = {}) => createClient({ transport, ...options });
  return { api: client(), client, stop: () => running.stop() };
};

const overWebSocket: Connect = async (flags) => {
  const running = await startServing(flags);
  const transport = webSocketTransport({ baseUrl: running.url, WebSocket });
  const client = (options: ClientOptions = {}) => createClient({ transport, ...options });
  return { api: client(), client, stop: () => running.stop() };
};

/** All ways, by name. */
export const connections: readonly (readonly [way: string, connect: Connect])[] = [
  ['over HTTP', overHttp('platform')],
  ['over HTTP under Kubernetes names', overHttp('kubernetes')],
  ['in process', inProcess],
  ['with watches over WebSocket', overWebSocket],
];

/** Collects all that an iterable yields. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Returns the error that a promise rejects with. */
export const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error('it did not reject');
    },
    (error: unknown) => error,
  );
