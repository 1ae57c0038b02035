/**
 * The console in front of any Kubernetes API. It listens on loopback only, and passes on requests of its own page. It
 * adds the credentials of a kubeconfig, so the browser never has them.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { H3, toNodeHandler } from 'h3';
import { isConnectionError } from '../../client/index.js';
import type { Upstream } from '../../client/node/upstream.js';
import { requestEntityTooLarge } from '../../runtime/objects/status.js';
import { diffPath } from './compare.js';
import { type Console, consolePath, defineConsole } from './console.js';
import { answerHeaders, bodyOf, passedHeaders, sealedToken, upgradeHead } from './gateway-messages.js';

/** The console at an address of this machine. */
export interface Gateway {
  /** As in `http://127.0.0.1:8090`. */
  readonly url: string;
  /** Makes a link that signs in once, within two minutes. */
  newLink(): string;
  /** Ends the gateway and all of its requests. */
  close(): Promise<void>;
}

export interface GatewayOptions {
  /** 0 means a free one. */
  readonly port: number;
  /** Called with the reason if the server does not answer. */
  readonly onProblem: (problem: string) => void;
}

/** The only address to listen on: everybody who reaches it acts with the credentials. */
const host = '127.0.0.1';

/** Starts the gateway. Rejects if the port is not available. */
export async function openGateway(upstream: Upstream, { port, onProblem }: GatewayOptions): Promise<Gateway> {
  const { middleware, sessions, comparison } = defineConsole({});
  const app = new H3();
  app.use(middleware);
  const parts: Parts = { upstream, sessions, pages: toNodeHandler(app), comparison, onProblem };
  const server = createServer((req, res) => {
    answer(parts, req, res).catch(() => res.destroy());
  });
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (req, socket: Duplex, head: Buffer) => {
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
    socket.on('error', () => socket.destroy());
    upgrade(parts, req, socket, head).catch(() => socket.destroy());
  });
  const url = `http://${host}:${await listen(server, port)}`;
  return {
    url,
    newLink: () => `${url}${consolePath}#code=${sessions.newCode()}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
      await closed;
      await upstream.close();
    },
  };
}

interface Parts extends Pick<GatewayOptions, 'onProblem'> {
  readonly upstream: Upstream;
  readonly sessions: Console['sessions'];
  readonly comparison: Console['comparison'];
  /** Serves the files of the console, and lets people sign in. */
  readonly pages: (req: IncomingMessage, res: ServerResponse) => unknown;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function answer(parts: Parts, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { url = '/' } = req;
  const isPage = url.startsWith(consolePath) && !url.startsWith(`${consolePath}api/`);
  const stranger = strangerIn(req, isPage || url === '/');
  if (stranger !== undefined) return refuse(res, 403, 'Forbidden', stranger);
  if (url === '/') return void res.writeHead(302, { location: consolePath }).end();
  if (url.startsWith(consolePath) && url !== diffPath) return void (await parts.pages(req, res));
  const known = await parts.sessions.authenticator.authenticate({ headers: req.headers });
  if (!known) return refuse(res, 401, 'Unauthorized', 'sign in with a link that kindforge console prints');
  if (url === diffPath) await answerComparison(parts, req, res);
  else await passOn(parts, req, res);
}

/**
 * Compares two definitions on this machine, because the server behind may be unable to, or be of an earlier release.
 */
async function answerComparison({ comparison }: Parts, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method !== 'POST') return refuse(res, 405, 'MethodNotAllowed', 'use POST to compare');
  const { code, contentType, body } = await comparison.answer({
    async readBody(limit) {
      const read = await bodyOf(req, limit);
      return read === 'too large'
        ? { ok: false, failure: requestEntityTooLarge(`limit is ${limit}`) }
        : { ok: true, value: read ?? new Uint8Array() };
    },
  });
  res.writeHead(code, { 'content-type': contentType, 'cache-control': 'no-store' });
  res.end(body);
}

/**
 * Returns why a request is not from the page of this server. Checks the host name, because any site may point its own
 * name to this address (DNS rebinding). Checks the origin, too, which browsers send with requests of other sites. Pages
 * of other sites may link here.
 */
function strangerIn(req: IncomingMessage, isPage: boolean): string | undefined {
  const { host: named = '', origin, 'sec-fetch-site': site } = req.headers;
  const port = req.socket.localPort;
  if (named !== `${host}:${port}` && named !== `localhost:${port}`)
    return `this is http://${host}:${port}, not ${named}`;
  if (origin !== undefined && origin !== `http://${named}`) return 'requests of other sites are refused';
  const isOwn = site === undefined || site === 'same-origin' || site === 'none';
  return isOwn || (isPage && req.method === 'GET') ? undefined : 'requests of other sites are refused';
}

/** Sends a request to the server, and the answer back at the pace of the browser. */
async function passOn({ upstream, onProblem }: Parts, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const body = await bodyOf(req);
  if (body === 'too large') return refuse(res, 413, 'RequestEntityTooLarge', 'the request is too large');
  const { method = 'GET', url: path = '/' } = req;
  try {
    const headers = passedHeaders(req.headersDistinct);
    const found = await upstream.send({ method, path, headers, signal: gone.signal }, body);
    if (found.statusCode === 401) {
      await found.body.dump();
      return refuse(res, 502, 'BadGateway', `${upstream.baseUrl} does not accept the credentials of the kubeconfig`);
    }
    // Sends the head at once, as bytes: with `flushHeaders` Node would send it as UTF-8.
    res.writeHead(found.statusCode, answerHeaders(found.headers)).write(Buffer.alloc(0));
    pipeline(found.body, res, () => {});
  } catch (error) {
    if (gone.signal.aborted) return;
    const problem = error instanceof Error ? error.message : String(error);
    onProblem(problem);
    // If the server does not answer, the page waits, as it would without this gateway.
    if (isConnectionError(error)) res.destroy();
    else refuse(res, 502, 'BadGateway', problem);
  }
}

/** Connects a WebSocket with the server. Browsers can send its token as a subprotocol only. */
async function upgrade(parts: Parts, req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  const end = (line: string): void =>
    void socket.end(`HTTP/1.1 ${line}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  const { token, protocols } = sealedToken(req.headers);
  if (strangerIn(req, false) !== undefined) return end('403 Forbidden');
  const headers = token === undefined ? req.headers : { authorization: `Bearer ${token}` };
  if (!(await parts.sessions.authenticator.authenticate({ headers }))) return end('401 Unauthorized');
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  const { url: path = '/', headers: asked } = req;
  const passed = {
    ...passedHeaders(req.headersDistinct),
    ...Object.fromEntries(
      ['key', 'version', 'extensions'].flatMap((name) => {
        const value = asked[`sec-websocket-${name}`];
        return value === undefined ? [] : [[`sec-websocket-${name}`, value]];
      }),
    ),
    ...(protocols === '' ? {} : { 'sec-websocket-protocol': protocols }),
  };
  try {
    const other = await parts.upstream.upgrade(
      { method: 'GET', path, headers: passed, signal: gone.signal },
      'websocket',
    );
    socket.write(upgradeHead(other.headers));
    if (head.length > 0) other.socket.write(head);
    pipeline(socket, other.socket, () => {});
    pipeline(other.socket, socket, () => {});
  } catch {
    // The client asks again without a WebSocket, and then gets the reason.
    end('502 Bad Gateway');
  }
}

function refuse(res: ServerResponse, code: number, reason: string, message: string): void {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  res.writeHead(code, { 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' });
  res.end(JSON.stringify(status));
}
