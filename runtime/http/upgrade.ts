/** Requests to go on in another protocol: WebSocket, and others that are passed over (RFC 9110, section 7.8). */
import type { IncomingMessage } from 'node:http';

/** Whether a request asks for a WebSocket. */
export const isWebSocketRequest = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

/**
 * The bytes of a request without its wish, and what came after its head. Some clients offer HTTP/2 in this way with
 * each request, bodies included, and want an answer in HTTP/1.1 where the server has no better one.
 */
export function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage, rest: Buffer): Buffer {
  const head = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.toLowerCase() !== 'upgrade') head.push(`${name}: ${rawHeaders[i + 1]}`);
  }
  // Node reads the bytes of a head as Latin-1.
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), rest]);
}
