/** Connects clients to a server in the same process. */
import { inProcessTransport } from '../client/in-process.js';
import type { ClientOptions } from '../client/index.js';
import { administratorUser, type Loopback } from '../plugins/index.js';
import type { UserInfo } from '../runtime/contract/index.js';
import type { ApiServer } from '../runtime/server/index.js';

type Handling = Pick<ApiServer, 'handle'>;

/** A client of the server itself; `agent` is the name that its writes are recorded under. */
export const connect = ({ handle }: Handling, loopback: Loopback, agent: string): ClientOptions => ({
  transport: inProcessTransport(handle, { authorization: loopback.credentialsFor(), 'user-agent': agent }),
});

/** A client of a user; of an administrator where none is given. */
export const connectAs = (
  { handle }: Handling,
  loopback: Loopback,
  user: UserInfo = administratorUser,
): ClientOptions => ({
  transport: inProcessTransport(handle, { authorization: loopback.credentialsFor(user) }),
});
