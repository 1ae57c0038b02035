/** The transport of Node: requests over undici, with the credentials and connections of a session. */
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { headerBytes } from '../connection/header-bytes.js';
import { onAbort } from '../connection/on-abort.js';
import { ConnectionError } from '../errors.js';
import { withoutSlashes } from '../slashes.js';
import type { Transport, TransportRequest, TransportResponse } from '../transport.js';
import type { Opened, Session } from './session.js';

/** The name that writes are recorded under, where nothing else is said. */
const agent = 'kindforge-sdk';

/** A request that the server does not know the maker of is sent once more, if there are other credentials. */
export function nodeTransport(session: Session, url: URL): Transport {
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

/** Gives a request a signal of its own until its answer has been read, since undici listens to each that it is given. */
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

function methodOf(method: string): Dispatcher.HttpMethod {
  const known = methods.find((one) => one === method);
  if (known === undefined) throw new TypeError(`${method} is no method of the API`);
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
  // One who stops reading ends the body with an error, which nobody else waits for.
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
