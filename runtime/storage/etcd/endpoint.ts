/**
 * One member of the cluster: calls with one answer over a connection of our own, streams over a channel of gRPC's
 * library.
 */
import { type ChannelCredentials, Client, type ClientDuplexStream, credentials, Metadata } from '@grpc/grpc-js';
import type { Span } from '../../contract/index.js';
import { currentSpan, inSpan } from '../../objects/tracing.js';
import { UnaryClient } from './calls/unary-client.js';
import { toEtcdError } from './errors.js';
import type { Method } from './protocol.js';

/** PEM texts for TLS. */
export interface TlsOptions {
  /** Certificates that members' certificates are checked against; those that Node knows where absent. */
  readonly ca?: Buffer;
  /** The client's own certificate and key, for clusters that want one. */
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

const CHANNEL_OPTIONS = {
  // Answers and events hold as much as was stored; etcd bounds what can be stored.
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  // A member that vanishes without a word. etcd takes pings more often than every 5 seconds for an attack.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  // Calls with one answer take no way around either.
  'grpc.enable_http_proxy': 0,
  // Statistics of each call that nobody reads.
  'grpc.enable_channelz': 0,
};

export class Endpoint {
  /** As in `127.0.0.1:2379`. */
  readonly address: string;
  readonly #calls: UnaryClient;
  readonly #streams: Client;

  /**
   * `url` is an address with or without `http://` or `https://`; without, TLS is used where there are options for it.
   */
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
