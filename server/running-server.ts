/** A server that `startServer` has started. */
import type { H3 } from 'h3';
import type { ClientOptions } from '../client/index.js';
import type { ResourceModule, Store, UserInfo } from '../runtime/contract/index.js';
import type { ServerDoors } from '../runtime/server/index.js';
import type { Replacement } from './replace-definitions.js';
import type { CredentialFiles } from './transport/credentials-folder.js';

/**
 * A running server. It is an h3 app: programs can add middleware and routes, and mount it in their own h3 app. They
 * mount it in other servers with `listener` and `listenerUnder`.
 */
export interface RunningServer extends H3, ServerDoors {
  /**
   * The number of this process among the workers, from 1 up. Absent in the process that owns the data, and in servers
   * without workers.
   */
  readonly worker?: number;
  /**
   * Returns options for `createClient` and `createResourceClient` that reach the server in the same process, without a
   * socket. Requests come from the user. Default: an administrator.
   */
  client(user?: UserInfo): ClientOptions;
  /**
   * Replaces the definitions of the option `schemas` at once; requests and watches in flight continue. If this needs a
   * restart over the same data, nothing has changed.
   */
  replaceDefinitions(modules: readonly ResourceModule[]): Replacement;
  readonly store: Store;
  /** The place of the data, for people. */
  readonly place: string;
  /**
   * Ends the controllers, stops listening, answers accepted requests, and closes the store. Before all of this,
   * `/readyz` fails for the time of the option `shutdownDelayMs`.
   */
  stop(): Promise<void>;
}

/** A server that listens. */
export interface ListeningServer extends RunningServer {
  /** As in `https://127.0.0.1:6443`: the address with TLS, or the plain one without TLS. */
  readonly url: string;
  /** As in `http://127.0.0.1:8080`; absent if the server does not listen in plain HTTP. */
  readonly plainUrl?: string;
  /** The address that `url` names. */
  readonly address: { readonly host: string; readonly port: number };
  /**
   * The text of a kubeconfig for `url`: the administrator's, or one without credentials if the server has no
   * administrator.
   */
  readonly kubeconfig: string;
  /**
   * Returns the address of the console. If the server has an administrator and is reached over loopback, the address
   * signs the administrator in: once, within two minutes, from this machine. Absent without a console.
   */
  readonly consoleLink?: () => string;
  /** The files with the administrator's credentials, if the option `credentials` asks for them. */
  readonly credentials?: CredentialFiles;
}
