/** Passes requests and upgraded connections on to a server, as the user, and the answers back. */

import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { withoutTrailing } from '../../../runtime/objects/scan/text.js';
import type { WebhookConnection } from '../../webhooks/webhook-file.js';
import { passedOn, readHeaders } from './proxy-headers.js';

/** Begins a request like another one to the server, with other headers. */
export type Open = (request: IncomingMessage, headers: Record<string, string[]>) => ReturnType<typeof httpRequest>;

/** Begins the same request to the server, as the user. */
export function opener({ url, headers: credentials, ca, serverName, insecure, cert, key }: WebhookConnection): Open {
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

/** Answers a request with what the server says, as it says it. */
export function passOn(open: Open, request: IncomingMessage, response: ServerResponse): void {
  const headers = passedOn(readHeaders(request.rawHeaders), 'host', 'authorization');
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  const call = open(request, isChunked ? { ...headers, 'transfer-encoding': ['chunked'] } : headers);
  call.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, passedOn(readHeaders(answer.rawHeaders)));
    // A watch may have nothing to say for a long time; its client waits for the headers.
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

/** Passes on what goes both ways, such as `kubectl exec`. */
export function passUpgrade(open: Open, request: IncomingMessage, socket: Duplex, head: Buffer): void {
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
export function refuse(response: ServerResponse, code: number, reason: string, message: string): void {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(status));
}
