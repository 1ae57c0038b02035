/** Makes a connection that clients take of what has been read about it. */
import type { ClientConnection } from '../create-client.js';
import { type Connection, credentialHeaders } from '../kubeconfig/connection.js';
import type { Transport } from '../transport.js';
import type { ConnectionOptions } from './dispatcher.js';
import { fixedIdentity, type IdentitySource } from './identity.js';
import { nodeFetch } from './node-fetch.js';
import { nodeTransport } from './node-transport.js';
import { Session } from './session.js';
import { tokenFileIdentity } from './token-file.js';

/** A connection as `createClient({ kubeconfig })` takes it. Clients may share it. */
export interface LoadedConnection extends ClientConnection {
  readonly fetch: typeof fetch;
  readonly transport: Transport;
  /** Ends its connections when their requests are done. Idle ones keep no program from ending. */
  close(): Promise<void>;
}

/**
 * Paths are relative to `folder`; `plugin` gives the credentials that the connection does not hold. Throws where a file
 * cannot be read.
 */
export function loaded(
  connection: Connection,
  folder: string,
  options: ConnectionOptions,
  plugin?: IdentitySource,
): LoadedConnection {
  const { baseUrl, tls, namespace, proxyUrl, impersonate } = connection;
  if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl)) throw new TypeError(`the server ${baseUrl} is no URL`);
  const url = new URL(baseUrl);
  const session = new Session({
    ...{ url, tls, folder, options, identity: plugin ?? identityOf(connection) },
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
  });
  return {
    baseUrl,
    ...(namespace === undefined ? {} : { namespace }),
    ...(impersonate === undefined ? {} : { impersonate }),
    fetch: nodeFetch(session),
    transport: nodeTransport(session, url),
    close: () => session.close(),
  };
}

/** The token of a token file goes before one that stands in the kubeconfig. */
const identityOf = (connection: Connection): IdentitySource =>
  connection.tokenFile === undefined
    ? fixedIdentity(credentialHeaders(connection))
    : tokenFileIdentity(connection.tokenFile);
