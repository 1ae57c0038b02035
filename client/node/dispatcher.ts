/** Opens connections to a server: pools of undici, with TLS, through a proxy, over HTTP/1.1 or HTTP/2. */
import { createSecureContext, type SecureContext } from 'node:tls';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';

/** How connections to a server are opened and kept. */
export interface ConnectionOptions {
  /**
   * Whether to use HTTP/2 for reads and watches: many requests on one connection, over TLS and without a proxy. These
   * requests fail if the server does not offer HTTP/2. Writes use HTTP/1.1. Default: no.
   */
  readonly http2?: boolean;
  /** Maximum number of connections. Default: no limit. */
  readonly maxConnections?: number;
  /** How long an idle connection is kept, in milliseconds. Default: the server's value, else 4 000. */
  readonly keepAliveMs?: number;
  /** How long connecting may take, TLS included, in milliseconds. Default: 10 000. */
  readonly connectTimeoutMs?: number;
  /**
   * URL of the proxy, `http:`, `https:` or `socks5:`; `false` for none. Default: the proxy of the kubeconfig's cluster,
   * or of HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
   */
  readonly proxy?: string | false;
}

/** The settings of TLS, in PEM. */
export interface TlsMaterial {
  readonly insecure: boolean;
  readonly serverName?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Opens the connections. Uses `proxy`, and ignores the proxy in the options. */
export function openDispatcher(
  url: URL,
  tls: TlsMaterial,
  { http2 = false, maxConnections, keepAliveMs, connectTimeoutMs = 10_000 }: ConnectionOptions,
  proxy: string | undefined,
): Dispatcher {
  const shown = {
    rejectUnauthorized: !tls.insecure,
    timeout: connectTimeoutMs,
    ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
    ...(url.protocol === 'https:' ? { secureContext: contextOf(tls) } : {}),
  };
  const pool = {
    ...(maxConnections === undefined ? {} : { connections: maxConnections }),
    ...(keepAliveMs === undefined ? {} : { keepAliveTimeout: keepAliveMs, keepAliveMaxTimeout: keepAliveMs }),
  };
  if (proxy === undefined && http2 && url.protocol === 'https:') {
    return new Agent({ ...pool, allowH2: true, pipelining: maxStreams, connect: connectorOfHttp2(shown) });
  }
  if (proxy === undefined) return new Agent({ ...pool, connect: shown, allowH2: false });
  // Plain HTTP uses the proxy directly. Everything else goes through a tunnel.
  return new ProxyAgent({ ...pool, uri: proxy, requestTls: shown, proxyTunnel: url.protocol === 'https:' });
}

/** Reads the certificates once for all connections: this takes a millisecond. */
const contextOf = ({ ca, cert, key }: TlsMaterial): SecureContext =>
  createSecureContext({
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  });

/** Concurrent requests on one HTTP/2 connection: the minimum that RFC 9113 recommends to servers. */
const maxStreams = 100;

/** Refuses HTTP/1.1: each request would wait for the one before, and a watch never ends. */
function connectorOfHttp2(tls: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector({ ...tls, allowH2: true });
  return (options, done) =>
    connect(options, (...[error, socket]) => {
      if (error) done(error, null);
      else if ('alpnProtocol' in socket && socket.alpnProtocol === 'h2') done(null, socket);
      else {
        socket.destroy();
        done(new Error('the server does not offer HTTP/2'), null);
      }
    });
}
