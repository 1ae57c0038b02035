/** A server that speaks TLS: which certificate it shows under which name, and how it asks clients for theirs. */
import { constants } from 'node:crypto';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { NodeListener } from '../node-listener.js';

/** A certificate with its chain, and the key to it, in PEM. */
export interface ServerCertificate {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

/** How a server speaks TLS. The certificate is shown to clients that ask for no name, or for one without its own. */
export interface TlsSettings extends ServerCertificate {
  /** Certificates by the names that clients ask for (RFC 6066), in lower case; `*` stands for a whole first label. */
  readonly named?: ReadonlyMap<string, ServerCertificate>;
  /**
   * Authorities in PEM. Clients are asked for certificates of theirs, and let in without; whoever relies on one checks
   * whether it was verified. Nobody is asked where absent.
   */
  readonly clientAuthorities?: string;
  /** Default: TLS 1.2. */
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3';
  /** Cipher suites as OpenSSL names them, with colons between. Default: Node's. */
  readonly ciphers?: string;
}

/** A server, and the way to other certificates. */
export interface SecureServer {
  readonly server: Server;
  /** Settings for connections that begin from now on. Throws where they cannot be used, and changes nothing then. */
  useTls(settings: TlsSettings): void;
}

/** Throws where certificate and key are no pair. */
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
  // An error that OpenSSL finds in a client's certificate stays in its queue, and would fail the next read of any
  // connection. Node empties the queue when a certificate is looked at: the server's own, since of a client's it knows the
  // chain only once.
  server.on('secureConnection', (socket) => void socket.getX509Certificate());
  // Node tells of a handshake that failed, or that took too long, as of a request that cannot be read: an answer to
  // that would wait for the handshake, and the connection with it.
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
 * Connections are never resumed or renegotiated. Either could show another certificate than the one that was verified,
 * or one whose authority has been taken back; and of a chain, a resumed connection knows only the first.
 */
const secureOptions = constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION;

function contextOptions(
  { clientAuthorities, minVersion = 'TLSv1.2', ciphers }: TlsSettings,
  { cert, key }: ServerCertificate,
): SecureContextOptions {
  return {
    cert,
    key,
    // Without a list, the authorities of the whole web would be trusted, and read, which takes longer than all the rest.
    ca: clientAuthorities ?? [],
    // Any certificate of the list is trusted, as in the reference, whether an authority stands above it or not.
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

/** A name of its own goes before one with `*`. */
function contextFor(contexts: Contexts, asked: string): SecureContext | undefined {
  const name = asked.toLowerCase().replace(/\.$/, '');
  return contexts.get(name) ?? contexts.get(name.replace(/^[^.]+/, '*'));
}
