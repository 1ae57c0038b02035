/** Posts JSON to a webhook, again and again where it may help. */
import type { RequestOptions } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Span, TraceHeaders } from '../../runtime/contract/index.js';
import { inSpan } from '../../runtime/objects/tracing.js';
import type { WebhookConnection } from './webhook-file.js';

/** The text of an answer that says it is good; or why there is none. */
export type PostAnswer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** How often a call is tried again, and after which time. */
export interface Retries {
  /** All tries together. */
  readonly tries: number;
  /** Before the second try, milliseconds; half as much again before each further one, and up to a fifth by chance. */
  readonly firstMs: number;
}

/** The reference's, where nothing else is said. */
export const usualRetries: Retries = { tries: 5, firstMs: 500 };

const timeoutMs = 30_000;
const maxBytes = 1024 * 1024;

/**
 * `connection` may be another one at each call. Never rejects. What the webhook may answer better the next time is
 * tried again: 429, 500, 504, and broken connections.
 */
export function postTo(
  connection: () => WebhookConnection,
  { tries, firstMs }: Retries = usualRetries,
): (body: string) => Promise<PostAnswer> {
  return async (body) => {
    let pause = firstMs;
    for (let attempt = 1; ; attempt++) {
      const answer = await postOnce(connection(), body);
      if (answer.ok || !answer.passes || attempt >= tries) return answer;
      await sleep(pause * (1 + Math.random() / 5));
      pause *= 1.5;
    }
  };
}

type Attempt =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string /** Whether it may pass. */; readonly passes: boolean };

/** Each attempt is a span of its own. */
async function postOnce(connection: WebhookConnection, body: string): Promise<Attempt> {
  const attributes = { 'server.address': connection.url.host };
  const post = async (span: Span | undefined): Promise<Attempt> => {
    const attempt = await send(connection, body, span?.headers);
    if (!attempt.ok) span?.fail(attempt.problem);
    return attempt;
  };
  return inSpan('Webhook', post, { kind: 'client', attributes });
}

async function send(
  { url, headers, paths: _, ...tls }: WebhookConnection,
  body: string,
  trace: TraceHeaders | undefined,
): Promise<Attempt> {
  // Loaded by servers that have a webhook.
  const { request } = url.protocol === 'http:' ? await import('node:http') : await import('node:https');
  const signal = AbortSignal.timeout(timeoutMs);
  const fail = (problem: string, passes: boolean): Attempt => ({
    ok: false,
    problem: `Post ${JSON.stringify(url.href)}: ${problem}`,
    passes,
  });
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException): void =>
      resolve(fail(signal.aborted ? 'context deadline exceeded' : error.message, error.code === 'ECONNRESET'));
    try {
      const call = request(
        url,
        { ...tlsOptions(tls), method: 'POST', signal, headers: allHeaders({ ...headers(), ...trace }) },
        (answer) => {
          const chunks: Buffer[] = [];
          let length = 0;
          answer.on('data', (chunk: Buffer) => {
            length += chunk.length;
            if (length > maxBytes) call.destroy(new Error('the answer is too large'));
            else chunks.push(chunk);
          });
          answer.on('error', onError);
          answer.on('end', () => {
            const code = answer.statusCode ?? 0;
            if (code >= 200 && code < 300) return resolve({ ok: true, text: Buffer.concat(chunks).toString() });
            const passes = [429, 500, 504].includes(code) || answer.headers['retry-after'] !== undefined;
            resolve(fail(`the webhook answers with ${code}`, passes));
          });
        },
      );
      call.on('error', onError);
      call.end(body);
    } catch (error) {
      // A file with a token is gone.
      resolve(fail(error instanceof Error ? error.message : String(error), false));
    }
  });
}

const allHeaders = (own: Readonly<Record<string, string>>): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'application/json, */*',
  ...own,
});

function tlsOptions({
  ca,
  serverName,
  insecure,
  cert,
  key,
}: Omit<WebhookConnection, 'url' | 'headers' | 'paths'>): RequestOptions {
  return {
    rejectUnauthorized: !insecure,
    ...(ca === undefined ? {} : { ca }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}
