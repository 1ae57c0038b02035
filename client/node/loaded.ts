/** Makes a connection for clients from kubeconfig data. */

import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { headerBytes } from '../connection/header-bytes.js';
import { isWatch } from '../connection/is-watch.js';
import { type Connection, credentialHeaders } from '../connection/kubeconfig.js';
import { onAbort } from '../connection/on-abort.js';
import type { ClientConnection } from '../create-client.js';
import { ConnectionError } from '../errors.js';
import { withoutSlashes } from '../slashes.js';
import type { Transport, TransportRequest, TransportResponse } from '../transport.js';
import type { ConnectionOptions } from './dispatcher.js';
import { bearer, fixedIdentity, type Identity, type IdentitySource } from './identity.js';
import { ReadAgain } from './read-again.js';
import { type Opened, Session } from './session.js';

// A file with a bearer token that another program renews, such as a service account's token.

/**
 * How old a token may be before its file is read again, in milliseconds. Tokens are replaced long before they expire.
 */
const maxAgeMs = 10_000;

/**
 * Reads a bearer token from a file. Reads the file again when the token is too old. Throws if the file cannot be read.
 */
export function tokenFileIdentity(path: string, age = maxAgeMs): IdentitySource {
  const file = new ReadAgain(path, age);
  let known: { readonly token: string; readonly identity: Identity } | undefined;
  return (refused) => {
    const token = file.text(refused !== undefined).trim();
    if (known?.token !== token) known = { token, identity: { headers: bearer(token) } };
    return known.identity;
  };
}

/** A connection as `createClient({ kubeconfig })` takes it. Clients may share it. */
export interface LoadedConnection extends ClientConnection {
  readonly fetch: typeof fetch;
  readonly transport: Transport;
  /** Closes its connections when their requests are done. Idle connections do not keep a program running. */
  close(): Promise<void>;
}

/**
 * Makes the connection. Paths are relative to `folder`. `plugin` provides credentials that are not in the connection.
 * Throws if a file cannot be read.
 */
export function loaded(
  connection: Connection,
  folder: string,
  options: ConnectionOptions,
  plugin?: IdentitySource,
): LoadedConnection {
  const { baseUrl, namespace, impersonate } = connection;
  const { session, url } = sessionOf(connection, folder, options, plugin);
  return {
    baseUrl,
    ...(namespace === undefined ? {} : { namespace }),
    ...(impersonate === undefined ? {} : { impersonate }),
    fetch: nodeFetch(session),
    transport: nodeTransport(session, url),
    close: () => session.close(),
  };
}

/**
 * Opens the session of a connection, with the parameters and errors of `loaded`. Sends nothing until the first request.
 */
export function sessionOf(
  connection: Connection,
  folder: string,
  options: ConnectionOptions,
  plugin?: IdentitySource,
): { readonly session: Session; readonly url: URL } {
  const { baseUrl, tls, proxyUrl } = connection;
  if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl)) throw new TypeError(`the server ${baseUrl} is not a URL`);
  const url = new URL(baseUrl);
  const session = new Session({
    ...{ url, tls, folder, options, identity: plugin ?? identityOf(connection) },
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
  });
  return { session, url };
}

/** Returns the source of credentials. A token file takes precedence over a token in the kubeconfig. */
const identityOf = (connection: Connection): IdentitySource =>
  connection.tokenFile === undefined
    ? fixedIdentity(credentialHeaders(connection))
    : tokenFileIdentity(connection.tokenFile);

/** Makes a fetch. After a 401 it sends the request once more if there are other credentials. */
function nodeFetch(session: Session): typeof fetch {
  const send: unknown = async (url: string, init: RequestInit = {}) => {
    const signal = init.signal ?? undefined;
    const { fetch: undiciFetch } = await import('undici');
    const sent: Readonly<Record<string, unknown>> = { ...init };
    const once = async ({ identity, dispatcher }: Awaited<ReturnType<Session['open']>>) => {
      const headers = { ...identity.headers, ...Object.fromEntries(new Headers(init.headers)) };
      return undiciFetch(url, { ...sent, headers, dispatcher });
    };
    const first = await session.open(signal);
    const answer = await once(first);
    if (answer.status !== 401) return answer;
    const other = await session.open(signal, first.identity);
    if (other.identity === first.identity) return answer;
    await answer.body?.cancel();
    return once(other);
  };
  return isFetch(send) ? send : fetch;
}

/** Treats undici's fetch as the global one: only the identity of their types differs. */
const isFetch = (value: unknown): value is typeof fetch => typeof value === 'function';

/** The `user-agent`. By default, the server records writes under it. */
const agent = 'kindforge-sdk';

/** Makes a transport. After a 401 it sends the request once more if there are other credentials. */
function nodeTransport(session: Session, url: URL): Transport {
  const base = withoutSlashes(url.pathname);
  const send = async (opened: Opened, request: TransportRequest): Promise<Dispatcher.ResponseData> => {
    const { method, path, headers, body, signal } = request;
    const isRepeated = Object.values(headers).some((value) => typeof value !== 'string' && value.length > 1);
    const dispatcher = isRepeated || method !== 'GET' ? session.single(opened) : opened.dispatcher;
    return untilRead(signal, (own) =>
      dispatcher.request({
        origin: url.origin,
        path: base + path,
        method: methodOf(method),
        headers: { 'user-agent': agent, 'accept-encoding': 'gzip', ...opened.identity.headers, ...mutable(headers) },
        ...(body === undefined ? {} : { body }),
        // A watch lasts as long as the server lets it, and may be silent.
        ...(isWatch(request) ? { bodyTimeout: 0 } : {}),
        signal: own,
      }),
    );
  };
  return {
    async send(request) {
      const { signal } = request;
      const broken = (what: string) => (error: unknown) => {
        throw signal?.aborted ? signal.reason : new ConnectionError(`${what} ${url.origin}${base}`, error);
      };
      const noAnswer = broken('no answer from');
      const first = await session.open(signal);
      const answer = await send(first, request).catch(noAnswer);
      if (answer.statusCode !== 401) return toResponse(answer, broken('an answer broke off from'));
      const other = await session.open(signal, first.identity);
      if (other.identity === first.identity) return toResponse(answer, broken('an answer broke off from'));
      await answer.body.dump();
      return toResponse(await send(other, request).catch(noAnswer), broken('an answer broke off from'));
    },
  };
}

/** Gives a request its own signal until its answer has been read, because undici adds a listener to every signal. */
async function untilRead(
  signal: AbortSignal | undefined,
  request: (own: AbortSignal) => Promise<Dispatcher.ResponseData>,
): Promise<Dispatcher.ResponseData> {
  const own = new AbortController();
  const unfollow = onAbort(signal, () => own.abort(signal?.reason));
  try {
    const answer = await request(own.signal);
    answer.body.once('close', unfollow);
    return answer;
  } catch (error) {
    unfollow();
    throw error;
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

export function methodOf(method: string): Dispatcher.HttpMethod {
  const known = methods.find((one) => one === method);
  if (known === undefined) throw new TypeError(`${method} is not a method of the API`);
  return known;
}

const mutable = (headers: TransportRequest['headers']): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? headerBytes(value) : value.map(headerBytes),
    ]),
  );

function toResponse(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  breaksOff: (error: unknown) => never,
): TransportResponse {
  // A reader who stops ends the body with an error that nobody else waits for.
  body.on('error', () => {});
  const plain: Readable = headers['content-encoding'] === 'gzip' ? pipeline(body, createGunzip(), () => {}) : body;
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of plain) if (chunk instanceof Uint8Array) yield chunk;
    } catch (error) {
      breaksOff(error);
    }
  };
  return {
    status: statusCode,
    header: (name) => {
      const value = headers[name] ?? '';
      return typeof value === 'string' ? value : value.join(', ');
    },
    async text() {
      const all: Uint8Array[] = [];
      for await (const chunk of chunks()) all.push(chunk);
      return Buffer.concat(all).toString('utf8');
    },
    chunks,
  };
}
