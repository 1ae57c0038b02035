/** Passes requests of other clients on to the server of a kubeconfig, with its credentials. Does not read answers. */
import type { Dispatcher } from 'undici';
import { impersonationHeaders } from '../connection/impersonate.js';
import { ConnectionError } from '../errors.js';
import { withoutSlashes } from '../slashes.js';
import { readContext } from './load-kubeconfig.js';
import { methodOf, sessionOf } from './loaded.js';
import type { Opened } from './session.js';

/** A request to pass on. */
export interface PassedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Names in lower case. A request that names a user to impersonate overrides the kubeconfig's. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly signal: AbortSignal;
}

/** The server of a kubeconfig. */
export interface Upstream {
  /** As in the kubeconfig. */
  readonly baseUrl: string;
  /**
   * Sends a request. After a 401, sends it once more if there are other credentials. Rejects without credentials, and
   * with a `ConnectionError` without an answer. Answers last as long as the server lets them: they may be watches and
   * logs.
   */
  send(request: PassedRequest, body: Uint8Array | undefined): Promise<Dispatcher.ResponseData>;
  /** Switches to another protocol. Rejects if the server does not switch, whatever it answers. */
  upgrade(request: PassedRequest, protocol: string): Promise<Dispatcher.UpgradeData>;
  /** Closes its connections when their requests are done. */
  close(): Promise<void>;
}

/** Opens a connection to a server. Sends nothing until the first request. Throws as `loadKubeconfig` does. */
export function openUpstream(path: string | undefined, context: string | undefined): Upstream {
  const { connection, folder, plugin } = readContext({ path, context });
  const { session, url } = sessionOf(connection, folder, {}, plugin);
  const base = withoutSlashes(url.pathname);
  const impersonating = connection.impersonate ? impersonationHeaders(connection.impersonate) : {};
  const partsOf = ({ identity }: Opened, request: PassedRequest) => ({
    origin: url.origin,
    path: base + request.path,
    headers: {
      ...('impersonate-user' in request.headers ? {} : impersonating),
      ...request.headers,
      ...identity.headers,
    },
    signal: request.signal,
  });
  const noAnswer = (error: unknown): never => {
    throw new ConnectionError(`no answer from ${connection.baseUrl}`, error);
  };
  return {
    baseUrl: connection.baseUrl,
    async send(request, body) {
      const method = methodOf(request.method);
      const once = (opened: Opened): Promise<Dispatcher.ResponseData> =>
        opened.dispatcher
          .request({
            ...partsOf(opened, request),
            method,
            ...(body === undefined ? {} : { body }),
            bodyTimeout: 0,
          })
          .catch(noAnswer);
      const first = await session.open(request.signal);
      const answer = await once(first);
      if (answer.statusCode !== 401) return answer;
      const other = await session.open(request.signal, first.identity);
      if (other.identity === first.identity) return answer;
      await answer.body.dump();
      return once(other);
    },
    async upgrade(request, protocol) {
      const opened = await session.open(request.signal);
      return opened.dispatcher.upgrade({ ...partsOf(opened, request), method: 'GET', protocol }).catch(noAnswer);
    },
    close: () => session.close(),
  };
}
