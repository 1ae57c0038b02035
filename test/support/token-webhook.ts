/** A webhook over TLS that answers reviews as tests set. */
import { createServer } from 'node:https';
import type { JsonObject } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { makeServerCertificate } from './certificates.js';
import { listenLocally } from './local-server.js';
import { kubeconfigFor } from './write-kubeconfig.js';

/** A received review, with its headers. */
export interface AskedReview {
  readonly review: JsonObject;
  readonly authorization: string | undefined;
  /** The span of the request. */
  readonly traceparent?: unknown;
}

export interface TokenWebhook {
  readonly url: string;
  /** The webhook's authority, in PEM. */
  readonly ca: string;
  readonly asked: AskedReview[];
  /** The code and the text of the answer to a review. */
  answer: (review: JsonObject) => readonly [code: number, text: string];
  /** Prints a file with the address of the webhook and further fields of the user. */
  configFile(user?: JsonObject): string;
  close(): Promise<void>;
}

/** Makes the answer of a webhook, in the version of the review. */
export const reviewed = ({ apiVersion = '', kind = '' }: JsonObject, status: JsonObject): readonly [number, string] => [
  200,
  JSON.stringify({ apiVersion, kind, metadata: {}, status }),
];

/** Starts a webhook on a free port. At first, it knows no token and allows nothing. */
export async function startTokenWebhook(): Promise<TokenWebhook> {
  const certificate = await makeServerCertificate();
  const server = createServer(certificate, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const review: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (!isObject(review)) throw new Error('no review');
    const { authorization, traceparent } = request.headers;
    webhook.asked.push({ review, authorization, ...(traceparent === undefined ? {} : { traceparent }) });
    const [code, text] = webhook.answer(review);
    response.writeHead(code, { 'content-type': 'application/json' }).end(text);
  });
  const port = await listenLocally(server);
  const url = `https://127.0.0.1:${port}/review`;
  const webhook: TokenWebhook = {
    url,
    ca: certificate.cert,
    asked: [],
    answer: (review) => reviewed(review, {}),
    configFile: (user) =>
      kubeconfigFor(url, user, { 'certificate-authority-data': Buffer.from(certificate.cert).toString('base64') }),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return webhook;
}
