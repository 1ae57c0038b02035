/** Provides what a request needs: current credentials, certificates, and open connections. */

import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import type { Dispatcher } from 'undici';
import type { PemSource, TlsSettings } from '../connection/kubeconfig.js';
import { untilAborted } from '../connection/until-aborted.js';
import type { ConnectionOptions, openDispatcher, TlsMaterial } from './dispatcher.js';
import type { Identity, IdentitySource } from './identity.js';
import { ReadAgain } from './read-again.js';

export interface SessionParts {
  readonly url: URL;
  readonly tls: TlsSettings;
  /** The folder that paths of `tls` are relative to. */
  readonly folder: string;
  readonly identity: IdentitySource;
  /** The proxy of the kubeconfig. */
  readonly proxyUrl?: string;
  readonly options: ConnectionOptions;
}

/** Current credentials and connections. */
export interface Opened {
  readonly identity: Identity;
  readonly dispatcher: Dispatcher;
}

/**
 * How old a certificate may be before its file is read again, in milliseconds. Certificates are renewed hours before
 * they expire.
 */
const certificateAgeMs = 60_000;

/** The connections that were made with one set of certificates. */
interface Pool {
  readonly name: string;
  readonly open: typeof openDispatcher;
  readonly dispatcher: Dispatcher;
  single?: Dispatcher;
}

/** Keeps connections until their certificates are replaced. Running requests end on the old ones. */
export class Session {
  readonly #parts: SessionParts;
  readonly #files: Readonly<Record<'ca' | 'certificate' | 'key', (() => string) | undefined>>;
  #pool: Pool | undefined;
  #open: typeof openDispatcher | undefined;
  #material: TlsMaterial;

  /** Throws if a file cannot be read. */
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
   * Returns credentials and connections. `refused` are credentials that the server does not accept. Rejects without
   * credentials, or with the signal's reason.
   */
  async open(signal?: AbortSignal, refused?: Identity): Promise<Opened> {
    signal?.throwIfAborted();
    // Loaded with the first request: loading undici takes longer than everything else, and many programs send no
    // request.
    this.#open ??= (await import('./dispatcher.js')).openDispatcher;
    const open = this.#open;
    const identity = await untilAborted(Promise.resolve(this.#parts.identity(refused)), signal);
    return { identity, dispatcher: this.#dispatcher(identity, open) };
  }

  /**
   * Returns HTTP/1.1 connections, for requests that undici cannot send over HTTP/2. It holds writes back until the
   * connection has no other request, and watches never end. It also joins the values of a header.
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
    // Requests of earlier connections report their own errors.
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

/** Returns a function that reads the current PEM. */
function reader(folder: string, source: PemSource | undefined): (() => string) | undefined {
  if (source === undefined) return undefined;
  if ('pem' in source) return () => source.pem;
  const file = new ReadAgain(resolve(folder, source.path), certificateAgeMs);
  return () => file.text();
}

/** Environment variables. The case of names does not matter. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the URL of the proxy, or `undefined` if none is needed. Servers on the same machine need none. */
export function proxyFor(url: URL, environment: Environment = process.env): string | undefined {
  const variable = (name: string): string | undefined =>
    environment[name] || environment[name.toLowerCase()] || undefined;
  const proxy = variable(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (proxy === undefined || isLoopback(hostOf(url))) return undefined;
  const exceptions = (variable('NO_PROXY') ?? '').split(',').map((one) => one.trim().toLowerCase());
  if (exceptions.some((one) => isExcepted(url, one))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/**
 * Returns whether an exception matches: `*`, a host with its subdomains, `.example.com` or `*.example.com` for
 * subdomains only, an address in any form, or a range of addresses.
 */
function isExcepted(url: URL, exception: string): boolean {
  if (exception === '') return false;
  if (exception === '*') return true;
  const host = hostOf(url);
  const range = /^(.*)\/(\d+)$/.exec(exception);
  if (range) return isInRange(host, range[1] ?? '', Number(range[2]));
  // An IPv6 address without brackets has colons, but no port.
  const whole = exception.indexOf(':') < exception.lastIndexOf(':') ? exception : '';
  const [, name = whole, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(exception) ?? [];
  const ownPort = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (port !== undefined && port !== ownPort) return false;
  const plain = name.replace(/^\[|\]$/g, '').replace(/^\*\./, '.');
  if (isIP(plain) !== 0) return canonical(plain) === canonical(host);
  return plain.startsWith('.') ? host.endsWith(plain) : host === plain || host.endsWith(`.${plain}`);
}

/**
 * Returns an address in its shortest form. For an IPv4 address mapped to IPv6 (RFC 4291 section 2.5.5.2), returns the
 * IPv4 address.
 */
function canonical(address: string): string {
  if (isIP(address) !== 6 || address.includes('%')) return address;
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(shortest) ?? [];
  if (high === undefined || low === undefined) return shortest;
  return [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join('.');
}

function isInRange(host: string, network: string, bits: number): boolean {
  const type = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(host) === 0 || isIP(host) !== isIP(network) || bits > (type === 'ipv6' ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, type);
  return list.check(host, type);
}
