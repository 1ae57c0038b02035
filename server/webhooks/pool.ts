/** Connections to one host. They stay open between calls, and calls share them if the host speaks HTTP/2. */
import type { ConnectionOptions } from 'node:tls';
import type { Dispatcher } from 'undici';
import type { Span, TraceHeaders } from '../../runtime/contract/index.js';
import { certificateProblem } from '../../runtime/objects/certificate-problem.js';
import { inSpan } from '../../runtime/objects/tracing.js';
import { namedAuthorities } from './machine-authorities.js';

/** The host that calls go to, and the certificate that this server shows there. */
export interface PoolTarget {
  /** The scheme, host and port to connect to, as in `https://10.0.0.7:443`. */
  readonly origin: string;
  /** PEM authorities for the host's certificate. Default: `SSL_CERT_FILE` and `SSL_CERT_DIR`, else Node's. */
  readonly ca?: string | undefined;
  /** The name that must be in its certificate. Default: the host. */
  readonly serverName?: string | undefined;
  /** The certificate that this server shows, in PEM. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Whether to accept any certificate. */
  readonly insecure?: boolean | undefined;
}

export interface PoolCall {
  /** Default: `POST`. */
  readonly method?: 'GET' | 'POST';
  /** With the query. */
  readonly path: string;
  /** The host that the call is for. Default: the host of the connection. */
  readonly host?: string | undefined;
  /** Headers with credentials. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Returns the JSON. */
  readonly body?: () => string;
  /** The size limit of the answer. */
  readonly mostBytes: number;
}

/** An answer of any code, or the reason why there is none. */
export type PoolAnswer =
  | {
      readonly ok: true;
      readonly code: number;
      readonly contentType: string;
      readonly text: string;
      /** Whether the answer asks for a retry. */
      readonly asksAgain: boolean;
    }
  | { readonly ok: false; readonly problem: string /** Whether the connection broke. */; readonly isBroken?: boolean };

/** The outcome of a call. `isLate`: no answer came in time. */
export interface Sent<T> {
  readonly answer: T;
  readonly isLate: boolean;
}

export interface Pool {
  /** Makes a call, which ends when `signal` aborts. Never rejects. */
  send(call: PoolCall, signal: AbortSignal): Promise<Sent<PoolAnswer>>;
  /** Closes connections once their calls have ended. */
  close(): void;
}

/** Connects at the first call. `trusted` returns the authorities for targets without any. */
export function openPool(target: PoolTarget, trusted = namedAuthorities): Pool {
  const attributes = { 'server.address': new URL(target.origin).host };
  let opened: Promise<Dispatcher> | undefined;
  return {
    async send(call, signal) {
      opened ??= connectsTo(target, trusted);
      const pool = opened;
      const traced = async (span: Span | undefined): Promise<Sent<PoolAnswer>> => {
        const sent = await pool.then(
          (dispatcher) => send(dispatcher, call, signal, span?.headers),
          (error: unknown): Sent<PoolAnswer> => {
            // The next call tries again.
            if (opened === pool) opened = undefined;
            return { answer: { ok: false, problem: problemOf(error) }, isLate: false };
          },
        );
        if (!sent.answer.ok) span?.fail(sent.answer.problem);
        return sent;
      };
      return inSpan('Webhook', traced, { kind: 'client', attributes });
    },
    close() {
      opened?.then((pool) => pool.close()).catch(() => undefined);
      opened = undefined;
    },
  };
}

/** The most calls that share an HTTP/2 connection at a time: nearly all servers allow this many. */
const mostStreams = 100;

/** The most connections to a host. */
const mostConnections = 64;

/** How long connecting may take, TLS included, milliseconds. */
const connectMs = 10_000;

async function connectsTo(target: PoolTarget, trusted: () => string | undefined): Promise<Dispatcher> {
  // Only servers with a webhook load it.
  const [{ Client, Pool, buildConnector }, tls] = await Promise.all([import('undici'), tlsOf(target, trusted)]);
  const connect = buildConnector({ ...tls, allowH2: true, timeout: connectMs });
  return new Pool(target.origin, {
    allowH2: true,
    connections: mostConnections,
    // The signal of a call limits the time of the whole call.
    headersTimeout: 0,
    bodyTimeout: 0,
    factory(at, options) {
      const client = new Client(at, {
        ...options,
        connect: (to, done) =>
          connect(to, (...connected) => {
            const [, socket] = connected;
            // An HTTP/1.1 connection takes one call at a time; HTTP/2 takes many.
            if (socket && 'alpnProtocol' in socket && socket.alpnProtocol === 'h2') client.pipelining = mostStreams;
            done(...connected);
          }),
      });
      return client;
    },
  });
}

/** Returns the settings of TLS. Reading certificates takes a millisecond, so all connections share the result. */
export async function tlsOf(
  { origin, ca: own, serverName, cert, key, insecure = false }: PoolTarget,
  trusted: () => string | undefined,
): Promise<ConnectionOptions> {
  if (!origin.startsWith('https:')) return {};
  const { createSecureContext } = await import('node:tls');
  const ca = own ?? trusted();
  const secureContext = createSecureContext({
    // Trusts any certificate of the list, as the reference does, even without an authority above it.
    ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  });
  return {
    secureContext,
    rejectUnauthorized: !insecure,
    ...(serverName === undefined ? {} : { servername: serverName }),
  };
}

async function send(
  pool: Dispatcher,
  { method = 'POST', path, host, headers, body, mostBytes }: PoolCall,
  signal: AbortSignal,
  trace: TraceHeaders | undefined,
): Promise<Sent<PoolAnswer>> {
  try {
    const asked = pool.request({
      method,
      path,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        accept: 'application/json, */*',
        ...(host === undefined ? {} : { host }),
        ...headers,
        ...trace,
      },
      body: body?.() ?? null,
      signal,
      // Lets calls share a connection. If it breaks, a review may be sent again.
      idempotent: true,
    });
    // Without the race, a request would ignore the signal while it waits for its connection.
    const answer = await Promise.race([asked, aborted(signal)]);
    const contentType = [answer.headers['content-type'] ?? ''].flat()[0] ?? '';
    const asksAgain = answer.headers['retry-after'] !== undefined;
    const text = await readText(answer.body, mostBytes);
    return { answer: { ok: true, code: answer.statusCode, contentType, text, asksAgain }, isLate: false };
  } catch (error) {
    if (signal.aborted) return { answer: { ok: false, problem: 'context deadline exceeded' }, isLate: true };
    const code = codeOf(error);
    const isBroken = brokenCodes.has(code);
    return { answer: { ok: false, problem: problemOf(error), isBroken }, isLate: code === 'UND_ERR_CONNECT_TIMEOUT' };
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

const brokenCodes: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET']);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Reads a body. If it is too large, leaves the loop early, which ends the answer. */
async function readText(body: AsyncIterable<Buffer>, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > mostBytes) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns an error in the words of Kubernetes clients, if they have words for it. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  switch (code) {
    case 'UND_ERR_SOCKET':
    case 'ECONNRESET':
      return 'EOF';
    case 'ECONNREFUSED':
      return error.message.replace(/^connect ECONNREFUSED (.*)$/, 'dial tcp $1: connect: connection refused');
    default:
      return certificateProblem(code, error.message) ?? (error.message || code);
  }
}
