/** Answers connections on which something came that is no HTTP request. */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Codes of Node's parser and timers with an answer of their own; all others are bad requests. */
const statuses: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

/** Has the server answer in plain text, as nothing is known of what the client would take, and close the connection. */
export function answerMalformed(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else socket.end(answerOf(statuses.get(error.code ?? '') ?? '400 Bad Request'), () => socket.destroy());
  });
  // The server is no proxy; Node would close the connection without a word.
  server.on('connect', (_request, socket) => socket.end(answerOf('405 Method Not Allowed'), () => socket.destroy()));
}

function answerOf(status: string): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`;
}
