/** How the server's own parts speak to it: in process, with a token made up at its start that nobody else knows. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { inProcessTransport } from '../../client/in-process.js';
import type { ClientOptions } from '../../client/index.js';
import { authenticatedUser } from '../../plugins/index.js';
import type { Authenticator } from '../../runtime/contract/index.js';
import type { ApiServer } from '../../runtime/server/index.js';

/** The server's way to itself. */
export interface Loopback {
  /** Recognizes the server's own requests, and no others. */
  readonly authenticator: Authenticator;
  /** Connects a part of the server; `agent` is the name that its writes are recorded under. */
  connect(server: Pick<ApiServer, 'handle'>, agent: string): ClientOptions;
}

/** Whom the server's own requests come from. */
const itself = authenticatedUser('system:apiserver', '', ['system:masters']);

export function defineLoopback(): Loopback {
  const expected = Buffer.from(`Bearer ${randomBytes(32).toString('hex')}`);
  const isOwn = (header: unknown): boolean => {
    if (typeof header !== 'string') return false;
    const sent = Buffer.from(header);
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  };
  return {
    authenticator: {
      name: 'loopback',
      authenticate: ({ headers }) => (isOwn(headers.authorization) ? { user: itself } : undefined),
    },
    connect: ({ handle }, agent) => ({
      transport: inProcessTransport(handle, { authorization: expected.toString(), 'user-agent': agent }),
    }),
  };
}
