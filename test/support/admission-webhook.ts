/** An admission webhook over TLS. Tests set its answers by path, and the webhook keeps the reviews that it gets. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { JsonObject } from '../../runtime/contract/index.js';
import { objectAt } from '../../runtime/objects/guards.js';
import { makeServerCertificate } from './certificates.js';
import { listenLocally } from './local-server.js';

/** Returns the response part of an answer, or sends the whole answer itself. */
export type Behaviour = (request: JsonObject, response: ServerResponse) => JsonObject | undefined;

export interface AdmissionWebhook {
  /** As in `https://localhost:4711`. */
  readonly url: string;
  /** Certificates to trust, in PEM and base64. */
  readonly caBundle: string;
  /** Answers by path, as in `/patch`. Any other path allows the request. */
  readonly behaviours: Map<string, Behaviour>;
  /** Reviews with their paths, in the order in which they came. */
  readonly reviews: { readonly path: string; readonly review: JsonObject; readonly authorization: string }[];
  close(): void;
}

/** Starts a webhook on a free loopback port. Its certificate is also valid for `names`. */
export async function startAdmissionWebhook(...names: readonly string[]): Promise<AdmissionWebhook> {
  const certificate = await makeServerCertificate(...names);
  const server = createServer(certificate, async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const review: JsonObject = JSON.parse(Buffer.concat(chunks).toString());
    const path = new URL(request.url ?? '', 'https://localhost').pathname;
    webhook.reviews.push({ path, review, authorization: request.headers.authorization ?? '' });
    const asked = objectAt(review, 'request') ?? {};
    const { apiVersion, kind } = review;
    const made = (webhook.behaviours.get(path) ?? (() => ({ allowed: true })))(asked, response);
    if (made) response.end(JSON.stringify({ apiVersion, kind, response: { uid: asked.uid ?? '', ...made } }));
  });
  const port = await listenLocally(server);
  const webhook: AdmissionWebhook = {
    url: `https://localhost:${port}`,
    caBundle: Buffer.from(certificate.cert).toString('base64'),
    behaviours: new Map(),
    reviews: [],
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return webhook;
}

/** Returns a response that allows the request and patches its object. */
export const patching = (...operations: readonly JsonObject[]): JsonObject => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});
