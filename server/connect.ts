/** Connects clients to a server in the same process. */
import { inProcessTransport } from '../client/in-process.js';
import type { ClientOptions } from '../client/index.js';
import { administratorUser, type Loopback } from '../plugins/index.js';
import type { UserInfo } from '../runtime/contract/index.js';
import type { ApiServer } from '../runtime/server/index.js';

/** A client of the server itself; `agent` is the name that its writes are recorded under. */
export const connect = ({ handle }: Pick<ApiServer, 'handle'>, loopback: Loopback, agent: string): ClientOptions => ({
  transport: inProcessTransport(handle, { authorization: loopback.credentialsFor(), 'user-agent': agent }),
});

/** A client of a user; of an administrator where none is given. */
export const connectAs = (
  { enter }: Pick<ApiServer, 'enter'>,
  loopback: Loopback,
  user: UserInfo = administratorUser,
): ClientOptions => ({
  transport: inProcessTransport(enter, { authorization: loopback.credentialsFor(user) }),
});
