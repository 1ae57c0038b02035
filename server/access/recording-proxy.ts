/** A proxy on this machine that passes requests on with the user's credentials, and reports each. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { createServer, Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { clockToleranceMs, defineAuthority } from '../../plugins/index.js';
import { listMembers } from '../../runtime/objects/scan/media-types.js';
import { withoutTrailing } from '../../runtime/objects/scan/numbers.js';
import type { SeenRequest } from '../../runtime/server/index.js';
import type { WebhookConnection } from '../webhooks/webhook-file.js';

/** The way of a command to the proxy. Only this command can use the proxy, because nobody else has the token. */
export interface RecordingProxy {
  readonly url: string;
  /** The certificate of its authority in PEM. */
  readonly ca: string;
  readonly token: string;
  close(): Promise<void>;
}

/** Starts a proxy. `tell` gets each request before the proxy passes it on. */
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

/** Compares hashes, so that the time of a comparison reveals nothing about the token. */
function knowsToken(token: string): (request: IncomingMessage) => boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  const wanted = hash(`Bearer ${token}`);
  return ({ headers }) => timingSafeEqual(hash(headers.authorization ?? ''), wanted);
}

/** Sends the received request to the server, with other headers. */
type Open = (request: IncomingMessage, headers: Record<string, string[]>) => ReturnType<typeof httpRequest>;

/** Sends the same request to the server, as the user. */
function opener({ url, headers: credentials, ca, serverName, insecure, cert, key }: WebhookConnection): Open {
  const isPlain = url.protocol === 'http:';
  const agent = isPlain
    ? new HttpAgent({ keepAlive: true })
    : new HttpsAgent({
        keepAlive: true,
        rejectUnauthorized: !insecure,
        ...(ca === undefined ? {} : { ca }),
        ...(serverName === undefined ? {} : { servername: serverName }),
        ...(cert === undefined ? {} : { cert }),
        ...(key === undefined ? {} : { key }),
      });
  const base = withoutTrailing(url.pathname, '/');
  return (request, headers) => {
    const options: RequestOptions = {
      agent,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      method: request.method,
      path: base + (request.url ?? ''),
      headers: { ...headers, host: url.host, ...credentials() },
    };
    return isPlain ? httpRequest(options) : httpsRequest(options);
  };
}

/** Answers a request with the server's answer, unchanged. */
function passOn(open: Open, request: IncomingMessage, response: ServerResponse): void {
  const headers = passedOn(readHeaders(request.rawHeaders), 'host', 'authorization');
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  const call = open(request, isChunked ? { ...headers, 'transfer-encoding': ['chunked'] } : headers);
  call.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, passedOn(readHeaders(answer.rawHeaders)));
    // A watch may have no events for a long time, but its client waits for the headers.
    response.flushHeaders();
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  call.on('error', (error) => {
    if (response.headersSent) response.destroy();
    else refuse(response, 502, 'ServiceUnavailable', `no answer from the server: ${error.message}`);
  });
  response.on('close', () => call.destroy());
  request.pipe(call);
}

/** Passes on data in both directions, as in `kubectl exec`. */
function passUpgrade(open: Open, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const headers = passedOn(readHeaders(request.rawHeaders), 'host', 'authorization');
  const upgrade = { connection: ['Upgrade'], upgrade: [request.headers.upgrade ?? ''] };
  const call = open(request, { ...headers, ...upgrade });
  const end = (): void => void socket.destroy();
  call.on('upgrade', (answer, other, rest) => {
    socket.write(headText(answer, { ...readHeaders(answer.rawHeaders) }));
    if (rest.length > 0) socket.write(rest);
    if (head.length > 0) other.write(head);
    socket.pipe(other).pipe(socket);
    other.on('error', end).on('close', end);
    socket.on('close', () => other.destroy());
  });
  call.on('response', (answer) => {
    socket.write(headText(answer, { ...passedOn(readHeaders(answer.rawHeaders)), connection: ['close'] }));
    answer.pipe(socket);
  });
  call.on('error', end);
  socket.on('error', () => call.destroy());
  call.end();
}

function headText(
  { statusCode = 502, statusMessage = '' }: IncomingMessage,
  headers: Record<string, readonly string[]>,
): string {
  const lines = Object.entries(headers).flatMap(([name, values]) => values.map((value) => `${name}: ${value}`));
  return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, '', ''].join('\r\n');
}

/** Answers with a Status of the proxy's own. */
function refuse(response: ServerResponse, code: number, reason: string, message: string): void {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(status));
}

/** All values of each header, by names in lower case. */
type HeaderValues = Readonly<Record<string, readonly string[]>>;

const ofConnection = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Reads alternating names and values, in the order of the message. */
export function readHeaders(raw: readonly string[]): HeaderValues {
  const values = new Map<string, string[]>();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    values.set(name, [...(values.get(name) ?? []), raw[i + 1] ?? '']);
  }
  return Object.fromEntries(values);
}

/** Returns the headers for the next connection: without hop-by-hop headers, and without the named headers. */
export function passedOn(headers: HeaderValues, ...without: readonly string[]): Record<string, string[]> {
  const named = (headers.connection ?? []).flatMap((value) => listMembers(value.toLowerCase()));
  const left = new Set([...ofConnection, ...named, ...without]);
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !left.has(name))
      .map(([name, values]) => [name, [...values]]),
  );
}
