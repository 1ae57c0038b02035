/** Posts a review to a webhook over HTTPS, and reads what it answers. */
import type { Span, TraceHeaders } from '../../contract/index.js';
import { inSpan } from '../../objects/tracing.js';

/** Where a webhook is. */
export interface WebhookAddress {
  readonly url: URL;
  /** Certificates in PEM that the webhook's own must come from; those that Node trusts where absent. */
  readonly ca?: string;
  /** The name that its certificate has to be for, where that is not the URL's. */
  readonly serverName?: string;
}

/** An answer, or why there is none in the words of whoever tried. */
export type WebhookAnswer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** The largest answer that is read, bytes. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** Never rejects. `timeoutMs` bounds the whole call. */
export async function callWebhook(address: WebhookAddress, body: string, timeoutMs: number): Promise<WebhookAnswer> {
  const call = async (span: Span | undefined): Promise<WebhookAnswer> => {
    const answer = await post(address, body, timeoutMs, span?.headers);
    if (!answer.ok) span?.fail(answer.problem);
    return answer;
  };
  return inSpan('Webhook', call, { kind: 'client', attributes: { 'server.address': address.url.host } });
}

async function post(
  { url, ca, serverName }: WebhookAddress,
  body: string,
  timeoutMs: number,
  trace: TraceHeaders | undefined,
): Promise<WebhookAnswer> {
  // Loaded by servers that have a webhook.
  const { request } = await import('node:https');
  return new Promise((resolve) => {
    const fail = (problem: string): void =>
      resolve({ ok: false, problem: `Post ${JSON.stringify(url.href)}: ${problem}` });
    const signal = AbortSignal.timeout(timeoutMs);
    const call = request(
      url,
      {
        method: 'POST',
        signal,
        headers: { 'content-type': 'application/json', accept: 'application/json, */*', ...trace },
        ...(ca === undefined ? {} : { ca }),
        ...(serverName === undefined ? {} : { servername: serverName }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        response.on('data', (chunk: Buffer) => {
          length += chunk.length;
          if (length > maxAnswerBytes) call.destroy(new Error('the answer is too large'));
          else chunks.push(chunk);
        });
        response.on('end', () => resolve(answerOf(response.statusCode ?? 0, Buffer.concat(chunks).toString())));
        response.on('error', ({ message }) => fail(message));
      },
    );
    call.on('error', ({ message }) => fail(signal.aborted ? 'context deadline exceeded' : message));
    call.end(body);
  });
}

function answerOf(code: number, text: string): WebhookAnswer {
  if (code >= 200 && code < 300) return { ok: true, text };
  const problem =
    code >= 500
      ? `an error on the server (${JSON.stringify(text || 'unknown')}) has prevented the request from succeeding`
      : (refusals.get(code) ?? 'the server rejected our request for an unknown reason');
  return { ok: false, problem };
}

const refusals: ReadonlyMap<number, string> = new Map([
  [401, 'the server has asked for the client to provide credentials'],
  [404, 'the server could not find the requested resource'],
]);
