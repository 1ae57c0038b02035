/** Connections to admission webhooks: a pool for each, kept alive between calls. */
import type { Dispatcher } from 'undici';
import type { LineAnswer, LineCall, LineTarget, WebhookLine } from '../../plugins/index.js';
import type { Span, TraceHeaders } from '../../runtime/contract/index.js';
import { inSpan } from '../../runtime/objects/tracing.js';

/** The largest answer that is read, bytes. A patch may hold an object of the largest size, in base64. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** Connects at the first call. */
export function openLine(target: LineTarget): WebhookLine {
  const attributes = { 'server.address': new URL(target.origin).host };
  let opened: Promise<Dispatcher> | undefined;
  return {
    async post(call) {
      opened ??= openPool(target);
      const pool = opened;
      const traced = async (span: Span | undefined): Promise<LineAnswer> => {
        const answer = await post(await pool, target, call, span?.headers);
        if (!answer.ok) span?.fail(answer.problem);
        return answer;
      };
      return inSpan('Webhook', traced, { kind: 'client', attributes });
    },
    close() {
      void opened?.then((pool) => pool.close()).catch(() => undefined);
      opened = undefined;
    },
  };
}

async function openPool({ origin, ca, serverName }: LineTarget): Promise<Dispatcher> {
  // Loaded by servers that have a webhook.
  const { Pool } = await import('undici');
  return new Pool(origin, {
    maxResponseSize: maxAnswerBytes,
    // The signal of a call bounds it as a whole.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      ...(ca === undefined ? {} : { ca }),
      ...(serverName === undefined ? {} : { servername: serverName }),
    },
  });
}

async function post(
  pool: Dispatcher,
  { serverName }: LineTarget,
  { path, body, timeoutMs }: LineCall,
  trace: TraceHeaders | undefined,
): Promise<LineAnswer> {
  const signal = AbortSignal.timeout(Math.ceil(timeoutMs));
  try {
    const {
      statusCode,
      headers,
      body: answer,
    } = await pool.request({
      method: 'POST',
      path,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, */*',
        ...(serverName === undefined ? {} : { host: serverName }),
        ...trace,
      },
      body,
      signal,
    });
    const contentType = [headers['content-type'] ?? ''].flat()[0] ?? '';
    return { ok: true, code: statusCode, contentType, text: await answer.text() };
  } catch (error) {
    return { ok: false, problem: signal.aborted ? 'context deadline exceeded' : problemOf(error) };
  }
}

/** Errors in the words of clients of Kubernetes, where they have some. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  switch (code) {
    case 'UND_ERR_SOCKET':
    case 'ECONNRESET':
      return 'EOF';
    case 'UND_ERR_RES_EXCEEDED_MAX_SIZE':
      return 'the answer is too large';
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
