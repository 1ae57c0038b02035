/** Calls the cluster in front of a server. */

import { partsOf } from '../../client/create-client.js';
import { type ClientOptions, ConnectionError } from '../../client/index.js';
import { loadConnection } from '../../client/node.js';
import type { Requester } from '../../client/requests.js';
import { OptionError } from '../option-error.js';

/** The cluster in front of the server. */
export interface AggregatedOption {
  /**
   * The kubeconfig with which the server calls the cluster. Default: `$KUBECONFIG`, else the service account of the
   * pod, else `~/.kube/config`.
   */
  readonly kubeconfig?: string | undefined;
  /**
   * How long the server caches the cluster's answers about tokens and rights, milliseconds; 0 for never. Default:
   * 10000.
   */
  readonly cacheTtlMs?: number | undefined;
}

/** A way to call the cluster. */
export interface ClusterClient {
  readonly options: ClientOptions;
  readonly requester: Requester;
  /** The time limit of an answer of the cluster, milliseconds. */
  readonly timeoutMs: number;
  /** As in `https://10.0.0.1:443`. */
  readonly url: string;
  /** The kubeconfig, if the option names one. */
  readonly kubeconfig: string | undefined;
  close(): Promise<void>;
}

/** The same as in the reference's servers behind a cluster. */
const timeoutMs = 10_000;

/** Makes the client without a request. Throws an `OptionError` if the kubeconfig cannot be used. */
export function connectToCluster({ kubeconfig }: AggregatedOption): ClusterClient {
  try {
    const connection = loadConnection(kubeconfig === undefined ? {} : { path: kubeconfig });
    const options: ClientOptions = { kubeconfig: connection, timeoutMs };
    const { baseUrl: url, close } = connection;
    return { options, timeoutMs, requester: partsOf(options), url, kubeconfig, close };
  } catch (error) {
    throw new OptionError(
      (nameOf) =>
        `${nameOf('aggregated')} needs a way to the cluster; set ${nameOf('aggregated.kubeconfig')}: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

type PostAnswer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** Returns the function that posts reviews. It never rejects. If the connection breaks, it tries once more. */
export function postTo(
  { requester, url, timeoutMs }: Pick<ClusterClient, 'requester' | 'url' | 'timeoutMs'>,
  path: string,
): (body: string) => Promise<PostAnswer> {
  const failed = (problem: string): PostAnswer => ({ ok: false, problem: `Post "${url}${path}": ${problem}` });
  const send = async (body: string, signal: AbortSignal): Promise<PostAnswer> => {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const answer = await requester.transport.send({ method: 'POST', path, headers, body, signal });
    const text = await answer.text();
    return answer.status < 300 ? { ok: true, text } : failed(`the cluster answers with ${answer.status}`);
  };
  return async (body) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await send(body, signal).catch((error: unknown) => {
        if (signal.aborted || !(error instanceof ConnectionError)) throw error;
        return send(body, signal);
      });
    } catch (error) {
      return failed(signal.aborted ? `no answer in ${timeoutMs / 1000} s` : messageOf(error));
    }
  };
}

/** Returns the message of an error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
