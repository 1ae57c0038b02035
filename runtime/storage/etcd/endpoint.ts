/**
 * One member of the cluster: calls with one answer over a connection of our own, streams over a channel of gRPC's
 * library.
 */
import { type ClientHttp2Session, connect, type SecureClientSessionOptions } from 'node:http2';
import { type ChannelCredentials, Client, type ClientDuplexStream, credentials, Metadata } from '@grpc/grpc-js';
import type { Span } from '../../contract/index.js';
import { currentSpan, inSpan } from '../../objects/tracing.js';
import { toEtcdError, unsent, wordsOf } from './errors.js';
import type { Method } from './messages.js';
import type { TlsOptions } from './options.js';
import { callOver, type UnaryCall } from './unary-call.js';

const CHANNEL_OPTIONS = {
  // Answers and events hold as much as was stored; etcd bounds what can be stored.
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  // Detects a member that vanished silently. etcd treats pings more often than every 5 seconds as an attack.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  // Calls with one answer do not use a proxy either.
  'grpc.enable_http_proxy': 0,
  // Statistics of each call that nobody reads.
  'grpc.enable_channelz': 0,
};

export class Endpoint {
  /** As in `127.0.0.1:2379`. */
  readonly address: string;
  readonly #calls: UnaryClient;
  readonly #streams: Client;

  /** `url` is an address with or without `http://` or `https://`; without, TLS is used if there are options for it. */
  constructor(url: string, tls: TlsOptions | undefined) {
    this.address = url.replace(/^https?:\/\//, '').replace(/\/$/, '');
    const secure = url.startsWith('https://') || (tls !== undefined && !url.startsWith('http://'));
    this.#calls = new UnaryClient(`${secure ? 'https' : 'http'}://${this.address}`, { ...tls });
    this.#streams = new Client(
      this.address,
      secure ? secured(tls ?? {}) : credentials.createInsecure(),
      CHANNEL_OPTIONS,
    );
  }

  /** Rejects with an `EtcdError`. */
  ask<Q, A>(method: Method<Q, A>, question: Q, token: string, withinMs: number): Promise<A> {
    if (!currentSpan()) return this.#ask(method, question, token, withinMs, undefined);
    const asked = inSpan(`etcd ${method.path.slice(1)}`, (span) => this.#ask(method, question, token, withinMs, span), {
      kind: 'client',
      attributes: { 'rpc.system': 'grpc', 'server.address': this.address },
    });
    return Promise.resolve(asked);
  }

  async #ask<Q, A>(
    { path, encode, decode }: Method<Q, A>,
    question: Q,
    token: string,
    withinMs: number,
    span: Span | undefined,
  ): Promise<A> {
    const message = encode(question);
    const fields = { ...span?.headers, ...fieldsOf(token) };
    try {
      return decode(await this.#calls.ask({ path, message, fields, withinMs }));
    } catch (error) {
      throw toEtcdError(error instanceof Error ? error : {}, this.address);
    }
  }

  /** Opens a stream both ways. Its errors are gRPC's. */
  open<Q, A>({ path, encode, decode }: Method<Q, A>, token: string, withinMs?: number): ClientDuplexStream<Q, A> {
    const options = withinMs === undefined ? {} : { deadline: Date.now() + withinMs };
    return this.#streams.makeBidiStreamRequest(path, encode, decode, metadata(token), options);
  }

  close(): void {
    this.#calls.close();
    this.#streams.close();
  }
}

function secured({ ca, cert, key }: TlsOptions): ChannelCredentials {
  return credentials.createSsl(ca ?? null, key ?? null, cert ?? null);
}

/** Asks members that have lost the rest of the cluster to say so at once instead of waiting. */
const fieldsOf = (token: string): Record<string, string> =>
  token === '' ? { hasleader: 'true' } : { hasleader: 'true', token };

function metadata(token: string): Metadata {
  const fields = new Metadata();
  for (const [name, value] of Object.entries(fieldsOf(token))) fields.set(name, value);
  return fields;
}

/** Bytes that the server may send before they are read; the 64 KiB of HTTP/2 make large pages wait. */
const WINDOW_BYTES = 4 * 1024 * 1024;
/** Milliseconds until an attempt to connect is given up. */
const CONNECT_MS = 5_000;
/** Milliseconds until an unused connection is closed; it may have died silently. */
const IDLE_MS = 30_000;
/** Milliseconds that calls in flight get on a connection that takes no new calls. */
const LEAVE_MS = 5_000;

/**
 * Does what a client of `@grpc/grpc-js` does for such calls, in half the CPU time: a call takes 150 µs instead of 300
 * µs alone, and 70 µs instead of 180 µs among eight. That matters here, as each write and each shared confirmation is a
 * call.
 */
export class UnaryClient {
  readonly #url: string;
  readonly #options: SecureClientSessionOptions;
  /** The connection for the next call. */
  #session: ClientHttp2Session | undefined;
  #opening: Promise<ClientHttp2Session> | undefined;
  #closed = false;

  /** `url` begins with `http://` or `https://`; `tls` counts for the latter. */
  constructor(url: string, tls: SecureClientSessionOptions) {
    this.#url = url;
    this.#options = {
      ...tls,
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES },
      // It counts what is on its way, and one page may have more than its 10 MB.
      maxSessionMemory: Number.MAX_SAFE_INTEGER,
    };
  }

  /** Resolves to the message of the answer; rejects with a `CallError`. */
  async ask(call: UnaryCall): Promise<Buffer> {
    if (this.#session) return this.#over(this.#session, call);
    const began = performance.now();
    const session = await within(this.#open(), call.withinMs);
    return this.#over(session, { ...call, withinMs: Math.max(1, call.withinMs - (performance.now() - began)) });
  }

  /** Takes no new calls. Calls in flight may end. */
  close(): void {
    this.#closed = true;
    if (this.#session) this.#leave(this.#session);
    else this.#opening?.then((session) => session.close()).catch(() => {});
  }

  /**
   * Notes the end of a call. A connection on which a call was not answered in time may be dead, so the next call gets
   * another.
   */
  #over(session: ClientHttp2Session, call: UnaryCall): Promise<Buffer> {
    return callOver(session, call, () => this.#leave(session));
  }

  #open(): Promise<ClientHttp2Session> {
    if (this.#closed) return Promise.reject(unsent('the client is closed'));
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  #connect(): Promise<ClientHttp2Session> {
    return new Promise((resolve, reject) => {
      const session = connect(this.#url, this.#options);
      let problem = 'the connection was closed';
      const timer = setTimeout(() => session.destroy(new Error(`no answer within ${CONNECT_MS} ms`)), CONNECT_MS);
      // Only a server that speaks HTTP/2 sends its settings.
      session.once('remoteSettings', () => {
        clearTimeout(timer);
        session.setLocalWindowSize(WINDOW_BYTES);
        session.setTimeout(IDLE_MS, () => this.#leave(session));
        this.#session = session;
        resolve(session);
      });
      session.on('error', (error) => {
        problem = wordsOf(error);
      });
      session.once('goaway', () => this.#forget(session));
      session.once('close', () => {
        clearTimeout(timer);
        this.#forget(session);
        reject(unsent(`No connection established. Last error: ${problem}`));
      });
    });
  }

  #forget(session: ClientHttp2Session): void {
    if (this.#session === session) this.#session = undefined;
  }

  /** Lets calls in flight end, and sends no more on this connection. */
  #leave(session: ClientHttp2Session): void {
    this.#forget(session);
    if (session.closed) return;
    session.close();
    const timer = setTimeout(
      () => session.destroy(new Error('the connection did not close in time')),
      LEAVE_MS,
    ).unref();
    session.once('close', () => clearTimeout(timer));
  }
}

async function within<T>(opening: Promise<T>, withinMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unsent(`No connection established within ${Math.round(withinMs)} ms`)), withinMs);
  });
  try {
    return await Promise.race([opening, late]);
  } finally {
    clearTimeout(timer);
  }
}
