/** A TLS server: selects its certificate by the requested name, and asks clients for theirs. */
import { constants } from 'node:crypto';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { NodeListener } from './node-listener.js';

/** A certificate with its chain, and its key, in PEM. */
export interface ServerCertificate {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/**
 * The settings of TLS. Clients get this certificate if they ask for no name, or for a name without its own certificate.
 */
export interface TlsSettings extends ServerCertificate {
  /** Certificates by the names that clients ask for (RFC 6066), in lower case. `*` stands for a whole first label. */
  readonly named?: ReadonlyMap<string, ServerCertificate>;
  /**
   * Authorities in PEM. The server asks clients for certificates, but accepts clients without one. Code that relies on
   * a certificate must check that it is verified. If absent, the server does not ask.
   */
  readonly clientAuthorities?: string;
  /** Default: TLS 1.2. */
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3';
  /** Cipher suites as OpenSSL names them, with colons between. Default: Node's. */
  readonly ciphers?: string;
}

/** A server, and a function that changes its certificates. */
export interface SecureServer {
  readonly server: Server;
  /** Uses these settings for new connections. If they are invalid, throws and changes nothing. */
  useTls(settings: TlsSettings): void;
}

/** Makes a server with TLS. Throws if certificate and key do not match. */
export function createSecureServer(options: ServerOptions, tls: TlsSettings, listener: NodeListener): SecureServer {
  let named = contextsOf(tls);
  const server = createServer(
    {
      ...options,
      ...contextOptions(tls, tls),
      ALPNProtocols: ['h2', 'http/1.1'],
      requestCert: tls.clientAuthorities !== undefined,
      rejectUnauthorized: false,
      SNICallback: (name, done) => done(null, contextFor(named, name)),
    },
    listener,
  );
  // An OpenSSL error in a client's certificate stays in a queue, and would fail the next read of any connection. Any
  // read of a certificate empties the queue. This reads the server's own, because Node returns the client's chain only
  // once.
  server.on('secureConnection', (socket) => void socket.getX509Certificate());
  // Node reports a failed or slow handshake like an unreadable request. An answer would wait for the handshake, and
  // keep the connection open.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return {
    server,
    useTls(settings) {
      const next = contextsOf(settings);
      server.setSecureContext(contextOptions(settings, settings));
      named = next;
    },
  };
}

/**
 * The options against resumed and renegotiated connections. Either could show another certificate than the verified
 * one, or a certificate of an authority that is no longer trusted. A resumed connection also lacks the chain after its
 * first certificate.
 */
const secureOptions = constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION;

function contextOptions(
  { clientAuthorities, minVersion = 'TLSv1.2', ciphers }: TlsSettings,
  { cert, key }: ServerCertificate,
): SecureContextOptions {
  return {
    cert,
    key,
    // Without a list, Node would trust the authorities of the whole web. To read them takes longer than all the rest.
    ca: clientAuthorities ?? [],
    // As in the reference, any certificate of the list is trusted, even if no authority has signed it.
    allowPartialTrustChain: true,
    minVersion,
    secureOptions,
    ...(ciphers === undefined ? {} : { ciphers }),
  };
}

type Contexts = ReadonlyMap<string, SecureContext>;

function contextsOf(settings: TlsSettings): Contexts {
  const made = new Map<ServerCertificate, SecureContext>();
  const contextOf = (certificate: ServerCertificate): SecureContext => {
    const context = made.get(certificate) ?? createSecureContext(contextOptions(settings, certificate));
    made.set(certificate, context);
    return context;
  };
  return new Map([...(settings.named ?? [])].map(([name, certificate]) => [name, contextOf(certificate)]));
}

/** Finds the certificate for a name. Prefers an exact name to a name with `*`. */
function contextFor(contexts: Contexts, asked: string): SecureContext | undefined {
  const name = asked.toLowerCase().replace(/\.$/, '');
  return contexts.get(name) ?? contexts.get(name.replace(/^[^.]+/, '*'));
}
