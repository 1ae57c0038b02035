/** Makes a connection of what a program says itself, without a kubeconfig. */
import type { PemSource } from '../kubeconfig/connection.js';
import type { ConnectionOptions } from './dispatcher.js';
import { type LoadedConnection, loaded } from './loaded.js';

/**
 * How to reach a server. Certificates and keys are PEM, `{ pem }`, or in files, `{ path }`, which are read again as
 * they change.
 */
export interface ConnectionSettings extends ConnectionOptions {
  /** As in `https://127.0.0.1:6443`. */
  readonly baseUrl: string;
  readonly token?: string;
  /** Path of a file with the token, which is read again as it changes. */
  readonly tokenFile?: string;
  /** The authorities that the server's certificate must come from; those that Node trusts where not given. */
  readonly ca?: PemSource;
  readonly certificate?: PemSource;
  readonly key?: PemSource;
  /** The name that the server's certificate has to be for, where that is not the address's. */
  readonly serverName?: string;
  /** Whether any certificate will do. */
  readonly insecure?: boolean;
  /** For objects of namespaced kinds that name none. */
  readonly namespace?: string;
}

/** A connection for `createClient({ kubeconfig })`. Throws where a file cannot be read, or the address is none. */
export function openConnection({
  baseUrl,
  token,
  tokenFile,
  ca,
  certificate,
  key,
  serverName,
  insecure = false,
  namespace,
  ...options
}: ConnectionSettings): LoadedConnection {
  const tls = {
    insecure,
    ...(serverName === undefined ? {} : { serverName }),
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined ? {} : { certificate }),
    ...(key === undefined ? {} : { key }),
  };
  const credentials = {
    ...(token === undefined ? {} : { token }),
    ...(tokenFile === undefined ? {} : { tokenFile }),
    ...(namespace === undefined ? {} : { namespace }),
  };
  return loaded({ baseUrl, tls, ...credentials }, process.cwd(), options);
}
