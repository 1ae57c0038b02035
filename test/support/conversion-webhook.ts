/**
 * A webhook that converts heaters: v1 has `spec.watts`, v2 `spec.power.watts`; tests can change and delay its answers.
 */
import { createServer } from 'node:https';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { makeServerCertificate } from './certificates.js';
import { customResource, versionOf } from './kinds.js';
import { listenLocally } from './local-server.js';

/** Makes an answer to a review, in place of the usual answer. */
export type Answerer = (response: JsonObject, review: JsonObject) => JsonValue;

/** Answers with the response in a review. */
export const honest: Answerer = (response, { apiVersion, kind }) => ({ apiVersion, kind, response });

export interface ConversionWebhook {
  readonly url: string;
  /** Certificates to trust, in PEM and base64. */
  readonly caBundle: string;
  /** `honest` by default. */
  answerer: Answerer;
  /** The reviews that it got. */
  reviews: JsonObject[];
  /** The credentials that came with the reviews. */
  readonly authorizations: string[];
  /** The webhook waits for this before each answer. */
  held: Promise<unknown>;
  close(): void;
}

/** Starts a webhook on a free loopback port. Its certificate is also valid for `names`. */
export async function startConversionWebhook(...names: readonly string[]): Promise<ConversionWebhook> {
  const certificate = await makeServerCertificate(...names);
  const server = createServer(certificate, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const review: JsonObject = JSON.parse(Buffer.concat(chunks).toString());
    webhook.reviews.push(review);
    webhook.authorizations.push(request.headers.authorization ?? '');
    const asked = objectAt(review, 'request');
    const objects = isArray(asked?.objects) ? asked.objects.filter(isObject) : [];
    const convertedObjects = objects.map((object) => convert(object, stringAt(asked, 'desiredAPIVersion')));
    const answer = { uid: asked?.uid ?? '', result: { status: 'Success' }, convertedObjects };
    await webhook.held;
    response.end(JSON.stringify(webhook.answerer(answer, review)));
  });
  const port = await listenLocally(server);
  const webhook: ConversionWebhook = {
    url: `https://localhost:${port}/convert`,
    caBundle: Buffer.from(certificate.cert).toString('base64'),
    answerer: honest,
    reviews: [],
    authorizations: [],
    held: Promise.resolve(),
    close: () => server.close(),
  };
  return webhook;
}

/** Converts an object as the webhook does. */
function convert(object: JsonObject, apiVersion: string): JsonObject {
  const spec = objectAt(object, 'spec') ?? {};
  if (object.apiVersion === apiVersion) return object;
  const { watts: plain, power, ...others } = spec;
  const watts = plain ?? (isObject(power) ? power.watts : undefined);
  if (watts === undefined) return { ...object, apiVersion, spec: others };
  const converted = apiVersion.endsWith('/v1') ? { watts } : { power: { watts } };
  return { ...object, apiVersion, spec: { ...others, ...converted } };
}

const integer = { type: 'integer' };

/** Makes a version of heaters; `spec` has the properties of its spec. */
export const heaterVersion = (name: string, storage: boolean, spec: JsonObject): JsonObject =>
  versionOf(name, storage, { type: 'object', properties: { spec: { type: 'object', properties: spec } } });

/** Makes both versions, with further properties in both specs. v1 is stored. */
export const heaterVersions = (more: JsonObject = {}): JsonObject[] => [
  heaterVersion('v1', true, { watts: integer, ...more }),
  heaterVersion('v2', false, { power: { type: 'object', properties: { watts: integer } }, ...more }),
];

/** Makes the definition of heaters with a webhook for conversion. */
export const heaterDefinition = (
  { url, caBundle }: Pick<ConversionWebhook, 'url' | 'caBundle'>,
  reviews: string[] = ['v1'],
  versions: JsonObject[] = heaterVersions(),
): JsonObject =>
  customResource({
    kind: 'Heater',
    group: 'home.example.com',
    versions,
    spec: {
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url, caBundle }, conversionReviewVersions: reviews },
      },
    },
  });

export const heater = (name: string, spec: JsonObject, version = 'v2'): JsonObject => ({
  apiVersion: `home.example.com/${version}`,
  kind: 'Heater',
  metadata: { name },
  spec,
});

/** Returns the path of heaters. */
export const heaters = (version: string): string => `/apis/home.example.com/${version}/namespaces/default/heaters`;
