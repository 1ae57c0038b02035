/** Finds the certificate that the client of a request has shown in its TLS handshake. */
import type { X509Certificate } from 'node:crypto';
import type { ClientCertificate } from '../../contract/index.js';
import { http2SessionOf, type NodeRequest } from '../node-messages.js';

/** Found once for a connection, which shows no other one later: renegotiation is off. */
const found = new WeakMap<object, ClientCertificate | 'none'>();

/** Returns the certificate of the client; `undefined` if it has shown none, or was not asked for one. */
export function clientCertificateOf(req: NodeRequest): ClientCertificate | undefined {
  const session = http2SessionOf(req);
  // Plain HTTP, which has no certificates, pays no more than this look.
  if (!session && !('encrypted' in req.socket)) return undefined;
  const connection = session ?? req.socket;
  const before = found.get(connection);
  if (before) return before === 'none' ? undefined : before;
  const shown = session?.closed === true ? undefined : shownBy(session?.socket ?? req.socket);
  found.set(connection, shown ?? 'none');
  return shown;
}

function shownBy(socket: object): ClientCertificate | undefined {
  if (!showsCertificates(socket)) return undefined;
  const own = socket.getPeerX509Certificate();
  if (!own) return undefined;
  const chain = [];
  for (let one: X509Certificate | undefined = own; one && chain.length < longest; one = one.issuerCertificate) {
    chain.push(one.raw);
  }
  if (socket.authorized) return { chain };
  return { chain, problem: String(socket.authorizationError ?? 'not verified') };
}

/** Certificates of a client that are looked at. */
const longest = 10;

/** The part of a `TLSSocket` that is needed here; naming the class would load TLS in all servers. */
interface Certified {
  getPeerX509Certificate(): X509Certificate | undefined;
  readonly authorized: boolean;
  readonly authorizationError: unknown;
}

/**
 * Checks whether a socket shows certificates. Sockets of HTTP/2 hide behind a proxy that has their members and denies
 * it.
 */
const showsCertificates = (socket: object): socket is Certified =>
  typeof Reflect.get(socket, 'getPeerX509Certificate') === 'function';
