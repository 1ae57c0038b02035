/** Connections to one host with webhooks: kept between calls, and shared by calls where the host speaks HTTP/2. */
import type { Dispatcher } from 'undici';
import type { Span, TraceHeaders } from '../../runtime/contract/index.js';
import { inSpan } from '../../runtime/objects/tracing.js';

/** Where calls go, and what is shown there. */
export interface PoolTarget {
  /** Scheme, host and port that are connected to, as in `https://10.0.0.7:443`. */
  readonly origin: string;
  /** Certificates in PEM that the host's own must come from; those that Node trusts where absent. */
  readonly ca?: string | undefined;
  /** The name that its certificate has to be for, where that is not the host. */
  readonly serverName?: string | undefined;
  /** The certificate that this server shows, in PEM. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** One call. */
export interface PoolCall {
  /** With the query. */
  readonly path: string;
  /** The host that the call is for, where that is not the one that is connected to. */
  readonly host?: string | undefined;
  /** Headers with credentials. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: string;
  /** Bounds the whole call, milliseconds. */
  readonly timeoutMs: number;
  /** The largest answer that is read. */
  readonly mostBytes: number;
}

/** An answer of any code, or why there is none, in the words of whoever tried. */
export type PoolAnswer =
  | { readonly ok: true; readonly code: number; readonly contentType: string; readonly text: string }
  | { readonly ok: false; readonly problem: string };

export interface WebhookPool {
  /** Never rejects. */
  post(call: PoolCall): Promise<PoolAnswer>;
  /** Closes connections once their calls have ended. */
  close(): void;
}

/** Connects at the first call. */
export function openPool(target: PoolTarget): WebhookPool {
  const attributes = { 'server.address': new URL(target.origin).host };
  let opened: Promise<Dispatcher> | undefined;
  return {
    async post(call) {
      opened ??= connectsTo(target);
      const pool = opened;
      const traced = async (span: Span | undefined): Promise<PoolAnswer> => {
        const answer = await pool.then(
          (dispatcher) => post(dispatcher, call, span?.headers),
          (error: unknown): PoolAnswer => {
            // The next call tries again.
            if (opened === pool) opened = undefined;
            return { ok: false, problem: problemOf(error) };
          },
        );
        if (!answer.ok) span?.fail(answer.problem);
        return answer;
      };
      return inSpan('Webhook', traced, { kind: 'client', attributes });
    },
    close() {
      opened?.then((pool) => pool.close()).catch(() => undefined);
      opened = undefined;
    },
  };
}

/** The most calls that share a connection of HTTP/2 at a time: what servers usually allow at least. */
const mostStreams = 100;

async function connectsTo({ origin, ca, serverName: servername, cert, key }: PoolTarget): Promise<Dispatcher> {
  // Loaded by servers that have a webhook.
  const { Client, Pool, buildConnector } = await import('undici');
  const connect = buildConnector({
    allowH2: true,
    // Any certificate of the list is trusted, as in the reference, the host's own too, whatever stands above it.
    ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }),
    ...(servername === undefined ? {} : { servername }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  });
  return new Pool(origin, {
    allowH2: true,
    // The signal of a call bounds it as a whole.
    headersTimeout: 0,
    bodyTimeout: 0,
    factory(at, options) {
      const client = new Client(at, {
        ...options,
        connect: (to, done) =>
          connect(to, (...connected) => {
            const [, socket] = connected;
            // Connections of HTTP/1.1 take one call after the other, each of the pool's connections its own.
            if (socket && 'alpnProtocol' in socket && socket.alpnProtocol === 'h2') client.pipelining = mostStreams;
            done(...connected);
          }),
      });
      return client;
    },
  });
}

async function post(
  pool: Dispatcher,
  { path, host, headers, body, timeoutMs, mostBytes }: PoolCall,
  trace: TraceHeaders | undefined,
): Promise<PoolAnswer> {
  // A timer may end up to a millisecond early: who asks whether the time is over would hear that it is not.
  const signal = AbortSignal.timeout(Math.ceil(timeoutMs) + 1);
  try {
    const answer = await pool.request({
      method: 'POST',
      path,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, */*',
        ...(host === undefined ? {} : { host }),
        ...headers,
        ...trace,
      },
      body,
      signal,
      // Others may share the connection: a review may be sent again, should that break.
      idempotent: true,
    });
    const contentType = [answer.headers['content-type'] ?? ''].flat()[0] ?? '';
    const text = await readText(answer.body, mostBytes);
    return { ok: true, code: answer.statusCode, contentType, text };
  } catch (error) {
    return { ok: false, problem: signal.aborted ? 'context deadline exceeded' : problemOf(error) };
  }
}

/** Leaving the loop early ends the answer. */
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

/** Errors in the words of clients of Kubernetes, where they have some. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  switch (code) {
    case 'UND_ERR_SOCKET':
    case 'ECONNRESET':
      return 'EOF';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
    case 'ECONNREFUSED':
      return error.message.replace(/^connect ECONNREFUSED (.*)$/, 'dial tcp $1: connect: connection refused');
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `tls: failed to verify certificate: x509: ${error.message}`;
    default:
      return error.message || code;
  }
}
