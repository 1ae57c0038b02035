/** Sends raw bytes to a server, for requests that clients refuse to send. */
import { connect } from 'node:net';

/** Returns everything that the server sends until it closes the connection, at most for `mostMs`. */
export function exchange(url: string, text: string | Buffer, mostMs = 60_000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    const timer = setTimeout(() => socket.destroy(), mostMs);
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    // If the server does not read to the end, it resets the connection after its answer.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(answer);
    });
  });
}

/** Prints a request without a body that asks the server to close the connection. */
export const rawRequest = (line: string, ...headers: string[]): string =>
  [line, 'Connection: close', ...headers, '', ''].join('\r\n');
