/**
 * Answers requests while the server reads its stored data. Health checks get the progress; other clients must retry
 * later.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { LoadProgress } from '../../runtime/contract/index.js';
import { loadingText } from '../load-definitions.js';

export interface WaitingRoom {
  /** Frees the address for the server itself. */
  close(): Promise<void>;
}

/** Listens in plain HTTP. Does not report an unavailable address: the server itself will report it. */
export function openWaitingRoom(host: string, port: number, progress: () => LoadProgress): WaitingRoom {
  const server = createServer((request, response) => answer(request, response, progress()));
  server.on('error', () => {});
  server.listen({ host, port });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer({ url = '' }: IncomingMessage, response: ServerResponse, progress: LoadProgress): void {
  const [path] = url.split('?', 1);
  const reads = loadingText(progress);
  response.setHeader('connection', 'close');
  if (path === '/livez') text(response, 200, 'ok');
  else if (path === '/readyz' || path === '/healthz')
    text(response, 500, `[+]ping ok\n[-]storage failed: ${reads}\n${path.slice(1)} check failed\n`);
  else if (path === '/readyz/storage') text(response, 500, `internal server error: ${reads}\n`);
  else {
    const message = `the server is starting: ${reads}`;
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message };
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' });
    response.end(JSON.stringify({ ...status, reason: 'ServiceUnavailable', code: 503 }));
  }
}

function text(response: ServerResponse, code: number, body: string): void {
  response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' });
  response.end(body);
}
