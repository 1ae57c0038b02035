/** A server that `startServer` has started. */
import type { H3 } from 'h3';
import type { ClientOptions } from '../client/index.js';
import type { ResourceModule, Store, UserInfo } from '../runtime/contract/index.js';
import type { ServerDoors } from '../runtime/server/index.js';
import type { Replacement } from './replace-definitions.js';
import type { CredentialFiles } from './transport/credentials-folder.js';

/**
 * A server that runs: an app of h3, to which programs add middleware and routes, and which they mount in apps of their own. In
 * other servers they mount it by `listener` and `listenerUnder`.
 */
export interface RunningServer extends H3, ServerDoors {
  /**
   * How a client in the same process reaches the server, without a socket: for `createClient` and `createResourceClient`.
   * Requests come from the user; from an administrator where none is given.
   */
  client(user?: UserInfo): ClientOptions;
  /**
   * Serves other definitions in place of those of the option `schemas`, at once: requests and watches that are under way go
   * on. What that cannot do needs another start over the same data; nothing has changed then.
   */
  replaceDefinitions(modules: readonly ResourceModule[]): Replacement;
  readonly store: Store;
  /** Where the data lies, for people. */
  readonly place: string;
  /**
   * Ends the controllers, stops listening, and closes the store; what was accepted is answered before. `/readyz` fails first,
   * as long as the option `shutdownDelayMs` says.
   */
  stop(): Promise<void>;
}

/** A server that listens. */
export interface ListeningServer extends RunningServer {
  /** As in `https://127.0.0.1:6443`: the address with TLS, where there is one, and the plain one otherwise. */
  readonly url: string;
  /** As in `http://127.0.0.1:8080`; absent where the server does not listen in plain HTTP. */
  readonly plainUrl?: string;
  /** That of `url`. */
  readonly address: { readonly host: string; readonly port: number };
  /** The text of a kubeconfig for `url`: the administrator's, or one without credentials where there is no administrator. */
  readonly kubeconfig: string;
  /** Where the administrator's credentials have been written, if the option `credentials` asks for that. */
  readonly credentials?: CredentialFiles;
}
