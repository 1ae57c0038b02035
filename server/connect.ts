/** Connects clients to a server in the same process. */
import { inProcessTransport } from '../client/in-process.js';
import type { ClientOptions } from '../client/index.js';
import { administratorUser, type Loopback } from '../plugins/index.js';
import type { UserInfo } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import type { ApiServer } from '../runtime/server/index.js';

/** A server in this process, with its naming. */
export interface Connected {
  readonly server: Pick<ApiServer, 'enter' | 'handle'>;
  readonly naming: Naming;
  readonly loopback: Loopback;
}

/** Returns a client of the server itself; `agent` is the user agent of its writes. */
export const connect = ({ server, naming, loopback }: Connected, agent: string): ClientOptions => ({
  transport: inProcessTransport(server.handle, { authorization: loopback.credentialsFor(), 'user-agent': agent }),
  naming: naming.id,
});

/** Returns a client of a user. Default: an administrator. */
export const connectAs = (
  { server, naming, loopback }: Connected,
  user: UserInfo = administratorUser,
): ClientOptions => ({
  transport: inProcessTransport(server.enter, { authorization: loopback.credentialsFor(user) }),
  naming: naming.id,
});
