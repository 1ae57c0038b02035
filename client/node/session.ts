/** Brings together what a connection needs at the moment of a request: credentials, certificates, and open connections. */
import { resolve } from 'node:path';
import type { Dispatcher } from 'undici';
import { untilAborted } from '../connection/until-aborted.js';
import type { PemSource, TlsSettings } from '../kubeconfig/connection.js';
import type { ConnectionOptions, openDispatcher, TlsMaterial } from './dispatcher.js';
import type { Identity, IdentitySource } from './identity.js';
import { proxyFor } from './proxy.js';
import { ReadAgain } from './read-again.js';

/** The parts of a session. */
export interface SessionParts {
  readonly url: URL;
  readonly tls: TlsSettings;
  /** Folder that paths of `tls` are relative to. */
  readonly folder: string;
  readonly identity: IdentitySource;
  /** The proxy of the kubeconfig. */
  readonly proxyUrl?: string;
  readonly options: ConnectionOptions;
}

/** Credentials and connections that count now. */
export interface Opened {
  readonly identity: Identity;
  readonly dispatcher: Dispatcher;
}

/** Certificates that are renewed are good for hours still when they are. */
const certificateAgeMs = 60_000;

/** The connections of one material. */
interface Pool {
  readonly name: string;
  readonly open: typeof openDispatcher;
  readonly dispatcher: Dispatcher;
  single?: Dispatcher;
}

/** Connections are kept until the certificates that they were made with are replaced; running requests end on them. */
export class Session {
  readonly #parts: SessionParts;
  readonly #files: Readonly<Record<'ca' | 'certificate' | 'key', (() => string) | undefined>>;
  #pool: Pool | undefined;
  #open: typeof openDispatcher | undefined;
  #material: TlsMaterial;

  /** Throws where a file cannot be read. */
  constructor(parts: SessionParts) {
    const { ca, certificate, key } = parts.tls;
    this.#parts = parts;
    this.#files = {
      ca: reader(parts.folder, ca),
      certificate: reader(parts.folder, certificate),
      key: reader(parts.folder, key),
    };
    this.#material = this.#read();
  }

  /**
   * `refused` are credentials that the server does not take. Rejects where there are no credentials, or the signal says
   * so.
   */
  async open(signal?: AbortSignal, refused?: Identity): Promise<Opened> {
    signal?.throwIfAborted();
    // With its first request, as a client is made in many programs that send none, and undici takes longer than all else.
    this.#open ??= (await import('./dispatcher.js')).openDispatcher;
    const open = this.#open;
    const identity = await untilAborted(Promise.resolve(this.#parts.identity(refused)), signal);
    return { identity, dispatcher: this.#dispatcher(identity, open) };
  }

  /**
   * Connections of HTTP/1.1, for what HTTP/2 cannot carry here: undici holds writes back until no other request of the
   * connection is open, which watches always are, and joins the values of a header.
   */
  single({ dispatcher }: Opened): Dispatcher {
    const { options, url } = this.#parts;
    if (!options.http2 || this.#pool?.dispatcher !== dispatcher) return dispatcher;
    this.#pool.single ??= this.#pool.open(url, this.#material, { ...options, http2: false }, this.#proxy());
    return this.#pool.single;
  }

  /** Ends all connections when their requests are done. */
  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await Promise.all([pool?.dispatcher.close(), pool?.single?.close()]);
  }

  #dispatcher({ certificate }: Identity, open: typeof openDispatcher): Dispatcher {
    const material = { ...this.#read(), ...certificate };
    const name = JSON.stringify(material);
    if (this.#pool?.name === name) return this.#pool.dispatcher;
    // Requests of the earlier connections hear of their errors themselves.
    this.close().catch(() => undefined);
    this.#material = material;
    const dispatcher = open(this.#parts.url, material, this.#parts.options, this.#proxy());
    this.#pool = { name, open, dispatcher };
    return dispatcher;
  }

  #proxy(): string | undefined {
    const { options, proxyUrl, url } = this.#parts;
    if (options.proxy === false) return undefined;
    return options.proxy ?? proxyUrl ?? proxyFor(url);
  }

  #read(): TlsMaterial {
    const { insecure, serverName } = this.#parts.tls;
    const { ca, certificate, key } = this.#files;
    return {
      insecure,
      ...(serverName === undefined ? {} : { serverName }),
      ...(ca ? { ca: ca() } : {}),
      ...(certificate ? { cert: certificate() } : {}),
      ...(key ? { key: key() } : {}),
    };
  }
}

/** PEM as it is now. */
function reader(folder: string, source: PemSource | undefined): (() => string) | undefined {
  if (source === undefined) return undefined;
  if ('pem' in source) return () => source.pem;
  const file = new ReadAgain(resolve(folder, source.path), certificateAgeMs);
  return () => file.text();
}
