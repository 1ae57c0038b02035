/** A server that answers by a script, and keeps the requests. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The requests so far. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** An answer of the script; `send` in place of the other fields writes the response itself. */
export interface ScriptedAnswer {
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly send?: (response: ServerResponse) => void;
}

export interface ScriptedServer {
  readonly url: string;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/**
 * Starts a server that gives its answers in order, and then repeats the last one. `make` is for servers that are not
 * plain HTTP.
 */
export async function scriptedServer(
  answers: readonly ScriptedAnswer[],
  make: (listener: RequestListener) => Server = createServer,
): Promise<ScriptedServer> {
  const asked: Asked[] = [];
  const server = make((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = answers[Math.min(asked.length, answers.length - 1)] ?? {};
      const { method = '', url: path = '', headers } = request;
      asked.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
      if (answer.send) answer.send(response);
      else response.writeHead(answer.code ?? 200, answer.headers).end(JSON.stringify(answer.body ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const portOf = (address: AddressInfo | string | null): number =>
  address !== null && typeof address === 'object' ? address.port : 0;
