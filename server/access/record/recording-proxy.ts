/** A proxy on this machine that passes requests on with the user's credentials, and tells of each. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { clockToleranceMs, defineAuthority } from '../../../plugins/index.js';
import type { SeenRequest } from '../../../runtime/server/index.js';
import type { WebhookConnection } from '../../webhooks/webhook-file.js';
import { opener, passOn, passUpgrade, refuse } from './pass-on.js';
import { readHeaders } from './proxy-headers.js';

/** How a command reaches the proxy; nobody else can, as nobody else has the token. */
export interface RecordingProxy {
  readonly url: string;
  /** The authority of its certificate in PEM. */
  readonly ca: string;
  readonly token: string;
  close(): Promise<void>;
}

/** `tell` gets each request before it is passed on. */
export async function startProxy(
  upstream: WebhookConnection,
  tell: (seen: SeenRequest) => void,
): Promise<RecordingProxy> {
  const token = randomBytes(32).toString('base64url');
  const { ca, cert, key } = makeCertificate();
  const isKnown = knowsToken(token);
  const open = opener(upstream);
  const server = createServer({ cert, key, requestTimeout: 0 });
  const see = (request: IncomingMessage): boolean => {
    const { method = '', url = '' } = request;
    if (!url.startsWith('/')) return false;
    tell({ method, url, headers: readHeaders(request.rawHeaders) });
    return true;
  };
  server.on('request', (request, response) => {
    if (!isKnown(request)) return refuse(response, 401, 'Unauthorized', 'this proxy is for one command only');
    if (!see(request)) return refuse(response, 400, 'BadRequest', 'the request names no path');
    passOn(open, request, response);
  });
  server.on('upgrade', (request, socket, head) => {
    if (!isKnown(request) || !see(request)) return socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
    passUpgrade(open, request, socket, head);
  });
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (_, socket) => {
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${portOf(server.address())}`,
    ca,
    token,
    close: () => {
      for (const socket of upgraded) socket.destroy();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0;

const lifeMs = 86_400_000 * 365;

function makeCertificate(): { readonly ca: string; readonly cert: string; readonly key: string } {
  const now = Date.now();
  const authority = defineAuthority({ secret: undefined, name: 'kindforge-record-ca', now });
  const pair = authority.issue({
    subject: { commonName: 'kindforge access record', organizations: [] },
    use: 'server',
    names: ['127.0.0.1', 'localhost'],
    notBefore: new Date(now - clockToleranceMs),
    notAfter: new Date(now + lifeMs),
  });
  return { ca: authority.certificate, ...pair };
}

/** Compares hashes, so that the time it takes tells nothing. */
function knowsToken(token: string): (request: IncomingMessage) => boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  const wanted = hash(`Bearer ${token}`);
  return ({ headers }) => timingSafeEqual(hash(headers.authorization ?? ''), wanted);
}
