/**
 * Plays the nodes of a cluster in front of a server: runs commands in pods, has their logs, and passes on all other
 * requests.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { listenLocally } from '../../../../test/support/local-server.js';

export interface FakeNode {
  /** As in `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The queries of logs, the newest last. */
  readonly logQueries: readonly URLSearchParams[];
  /** Breaks all connections, and accepts none until it is back. */
  goAway(isAway: boolean): void;
  /** Adds to the followed logs. */
  writeLog(text: string): void;
  /** The sizes of terminals that commands have received. */
  readonly sizes: readonly string[];
  close(): Promise<void>;
}

/** Starts it. Commands run if the server allows them to the user: then its answer is `503`, because it has no nodes. */
export async function startFakeNode(api: string): Promise<FakeNode> {
  const logQueries: URLSearchParams[] = [];
  const sizes: string[] = [];
  let isAway = false;
  const followers = new Set<ServerResponse>();
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => [...offered].find((name) => name.endsWith('.channel.k8s.io')) ?? false,
  });
  const server = createServer((asked, answer) => {
    const { pathname, searchParams } = new URL(asked.url ?? '/', api);
    if (!/^\/api\/v1\/namespaces\/[^/]+\/pods\/[^/]+\/log$/.test(pathname)) return passOn(api, asked, answer);
    logQueries.push(searchParams);
    const run = searchParams.get('previous') === 'true' ? 'previous' : 'present';
    answer.writeHead(200, { 'content-type': 'text/plain' });
    answer.write(`${run} run of ${searchParams.get('container')}\n\u001b[32mready\u001b[0m\n`);
    if (searchParams.get('follow') === 'true') followers.add(answer.once('close', () => followers.delete(answer)));
    else answer.end();
  });
  server.on('upgrade', (asked, socket, head) => {
    // Then watches use HTTP.
    if (!/\/exec\?/.test(asked.url ?? '')) return socket.end('HTTP/1.1 403 \r\nconnection: close\r\n\r\n');
    const ask = request(new URL(asked.url ?? '/', api), { headers: headersFor(api, asked) }, (answer) => {
      answer.resume();
      if (answer.statusCode !== 503) return socket.end(`HTTP/1.1 ${answer.statusCode} \r\nconnection: close\r\n\r\n`);
      sockets.handleUpgrade(asked, socket, head, (client) => runCommand(client, new URL(asked.url ?? '/', api), sizes));
    });
    ask.on('error', () => socket.destroy()).end();
  });
  server.on('connection', (socket) => {
    if (isAway) socket.destroy();
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    logQueries,
    sizes,
    goAway(away) {
      isAway = away;
      if (away) server.closeAllConnections();
    },
    writeLog: (text) => {
      for (const follower of followers) follower.write(text);
    },
    close() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Returns the headers. The server must also take pages at this address for its own. */
function headersFor(api: string, { headers }: IncomingMessage): IncomingMessage['headers'] {
  const { host, origin } = new URL(api);
  return { ...headers, host, ...(headers.origin === undefined ? {} : { origin }) };
}

function passOn(api: string, asked: IncomingMessage, answer: ServerResponse): void {
  const options = { method: asked.method ?? 'GET', headers: headersFor(api, asked) };
  const passed = request(new URL(asked.url ?? '/', api), options, (from) => {
    answer.writeHead(from.statusCode ?? 502, from.headers);
    // A watch may be silent for a long time.
    answer.flushHeaders();
    from.pipe(answer);
  });
  passed.on('error', () => answer.destroy());
  answer.on('close', () => passed.destroy());
  asked.pipe(passed);
}

/**
 * Runs a command that repeats its input. `exit N` ends it, `sleep` waits for Ctrl+C, and the end of the input ends it
 * with success.
 */
function runCommand(client: WebSocket, { searchParams }: URL, sizes: string[]): void {
  const hasTerminal = searchParams.get('tty') === 'true';
  const send = (channel: number, text: string): void => client.send(Buffer.from(`\0${text}`).fill(channel, 0, 1));
  const end = (status: object): void => {
    send(3, JSON.stringify(status));
    client.close(1000);
  };
  const prompt = (): void => {
    if (hasTerminal) send(1, '\u001b[1m$\u001b[0m ');
  };
  send(
    1,
    `${searchParams.getAll('command').join('|')} in ${searchParams.get('container')}${hasTerminal ? '\r' : ''}\n`,
  );
  prompt();
  client.on('message', (data: Buffer) => {
    const [channel, text] = [data[0], data.subarray(1).toString()];
    if (channel === 4) return sizes.push(text);
    if (channel === 255) return end({ status: 'Success' });
    if (text === '\u0003') {
      send(1, '^C\r\n');
      return prompt();
    }
    if (hasTerminal) send(1, text.replace('\r', '\r\n'));
    const line = text.trim();
    const code = /^exit (\d+)$/.exec(line)?.[1];
    if (code !== undefined)
      return end({
        ...{ status: 'Failure', message: `command terminated with exit code ${code}`, reason: 'NonZeroExitCode' },
        details: { causes: [{ reason: 'ExitCode', message: code }] },
      });
    if (line === 'sleep') return;
    send(hasTerminal ? 1 : 2, `you said ${line}${hasTerminal ? '\r' : ''}\n`);
    prompt();
  });
}
