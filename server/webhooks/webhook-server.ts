/**
 * Serves reviews over HTTPS, with limits of bodies, connections that stay open, a health check, and a stop that waits
 * for answers.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { encodeJson, type ServerCertificate } from '../../runtime/server/index.js';
import { type ReviewAnswer, refusal } from './webhook-review.js';

/** The path for reviews. */
export const convertPath = '/convert';

const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);

export interface ServedReviews {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly certificate: ServerCertificate;
  readonly maxBodyBytes: number;
  /** How long answers in flight may take after `stop`, in milliseconds. */
  readonly graceMs: number;
  readonly answer: (body: Uint8Array) => Promise<ReviewAnswer>;
  /** Reports every refused or failed request. */
  readonly onProblem: (problem: string) => void;
}

export interface ListeningReviews {
  readonly port: number;
  /** Uses another certificate for new connections. */
  useCertificate(certificate: ServerCertificate): void;
  /** Accepts no more connections, and resolves once the open ones have their answers. */
  stop(): Promise<void>;
}

/** How long a request may take to arrive, milliseconds. */
const requestMs = 30_000;

/** Clients keep connections open for 90 seconds. The server must not close one before. */
const keepAliveMs = 120_000;

/** Rejects if the address is not available. */
export async function serveReviews(options: ServedReviews): Promise<ListeningReviews> {
  let stopping = false;
  const server = createServer(
    { ...options.certificate, requestTimeout: requestMs, keepAliveTimeout: keepAliveMs },
    (request, response) => {
      respond(request, response, options, () => stopping).catch((error: unknown) => {
        options.onProblem(`a review could not be answered: ${error}`);
        response.destroy();
      });
    },
  );
  await listen(server, options);
  return {
    port: portOf(server),
    useCertificate: (certificate) => server.setSecureContext({ ...certificate }),
    stop: () => {
      stopping = true;
      return close(server, options.graceMs);
    },
  };
}

function listen(server: Server, { host, port }: Pick<ServedReviews, 'host' | 'port'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  options: ServedReviews,
  isStopping: () => boolean,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  if (healthPaths.has(path) && (request.method === 'GET' || request.method === 'HEAD')) {
    sendHealth(request, response, path === '/readyz' && isStopping());
    return;
  }
  const answer = await answerTo(request, response, path, options);
  if (!answer) return;
  if (answer.problem !== undefined) options.onProblem(answer.problem);
  const body = Buffer.from(encodeJson(answer.body));
  if (isStopping()) response.setHeader('connection', 'close');
  response.writeHead(answer.code, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}

function sendHealth(request: IncomingMessage, response: ServerResponse, isStopping: boolean): void {
  const text = isStopping ? 'stopping' : 'ok';
  response.writeHead(isStopping ? 503 : 200, { 'content-type': 'text/plain', 'content-length': text.length });
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** Returns the answer to a request, or `undefined` if its client has gone. */
async function answerTo(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  { maxBodyBytes, answer }: ServedReviews,
): Promise<ReviewAnswer | undefined> {
  if (path !== convertPath)
    return refusal(404, 'NotFound', `there is nothing at ${path}; reviews go to ${convertPath}`);
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST');
    return refusal(405, 'MethodNotAllowed', `${convertPath} takes POST, not ${request.method}`);
  }
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json') {
    return refusal(415, 'UnsupportedMediaType', `reviews are application/json, not ${type || 'nothing'}`);
  }
  const body = await readBody(request, maxBodyBytes);
  if (body === 'gone') return undefined;
  if (body === 'too large') {
    // Does not read the rest of the body.
    response.setHeader('connection', 'close');
    return refusal(413, 'RequestEntityTooLarge', `the body has more than ${maxBodyBytes} bytes`);
  }
  return answer(body);
}

async function readBody(request: IncomingMessage, most: number): Promise<Uint8Array | 'too large' | 'gone'> {
  if (Number(request.headers['content-length'] ?? 0) > most) return 'too large';
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > most) {
        request.pause();
        resolve('too large');
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('close', () => resolve('gone'));
    request.on('error', () => resolve('gone'));
  });
}
