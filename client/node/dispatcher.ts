/** Makes what opens connections to a server: pools of undici, with TLS, through a proxy, over HTTP/1.1 or HTTP/2. */
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';

/** Settings of connections. */
export interface ConnectionOptions {
  /**
   * Whether to speak HTTP/2 for reads and watches, which puts many of them on one connection: over TLS, without a proxy.
   * They fail where the server does not offer it. Writes go over HTTP/1.1 beside it. Default: no.
   */
  readonly http2?: boolean;
  /** Most connections at a time; as many as there are requests where not given. */
  readonly maxConnections?: number;
  /** How long an idle connection is kept, milliseconds; 4 000, or what the server says, where not given. */
  readonly keepAliveMs?: number;
  /** How long it may take until a connection stands, TLS included, milliseconds; 10 000 where not given. */
  readonly connectTimeoutMs?: number;
  /**
   * URL of the proxy, `http:`, `https:` or `socks5:`; `false` for none. Where not given, that of the kubeconfig's cluster, or
   * else of HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
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

/** `proxy` is the one that counts. */
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
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
  };
  const pool = {
    ...(maxConnections === undefined ? {} : { connections: maxConnections }),
    ...(keepAliveMs === undefined ? {} : { keepAliveTimeout: keepAliveMs, keepAliveMaxTimeout: keepAliveMs }),
  };
  if (proxy === undefined && http2 && url.protocol === 'https:') {
    return new Agent({ ...pool, allowH2: true, pipelining: maxStreams, connect: connectorOfHttp2(shown) });
  }
  if (proxy === undefined) return new Agent({ ...pool, connect: shown, allowH2: false });
  // Plain HTTP is asked of the proxy itself; everything else goes through a tunnel.
  return new ProxyAgent({ ...pool, uri: proxy, requestTls: shown, proxyTunnel: url.protocol === 'https:' });
}

/** Requests at a time on one connection of HTTP/2: what RFC 9113 has servers allow at least. */
const maxStreams = 100;

/** Refuses HTTP/1.1, on which a request would wait for those before it, and so for watches without end. */
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
