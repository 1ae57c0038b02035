/** Converts objects of a definition through its conversion webhook. */
import { randomUUID } from 'node:crypto';
import { decodeJson, encodeJson } from '../../codec/json.js';
import type {
  EventSubject,
  Failure,
  JsonObject,
  JsonValue,
  ResourceModule,
  Result,
  WebhookAddress,
  WebhookAnswer,
  WebhookCall,
  WebhookLine,
} from '../../contract/index.js';
import { clone } from '../../objects/clone.js';
import { isArray, isObject, isStringArray, isStringMap, objectAt, stringAt } from '../../objects/guards.js';
import { formatGroupVersion, parseGroupVersion } from '../../objects/names/names.js';
import type { RemoteConversion } from '../../resource/served-resource.js';

/** How long a webhook may take, milliseconds. */
const timeoutMs = 30_000;

const knownReviews = ['v1', 'v1beta1'];

/** Opens connections to webhooks, and finds the services behind them. */
export interface ConversionCalls {
  /** Absent if the server calls no webhooks. */
  readonly open: ((address: WebhookAddress) => WebhookLine) | undefined;
  readonly service: WebhookCall['service'];
}

/** Posts a review. */
type Post = (body: string) => Promise<WebhookAnswer>;

/**
 * Returns the conversion by the `spec.conversion.webhook` of a definition. `reviewGroup` is the group of reviews as it
 * is served.
 */
export function conversionWebhook(
  webhook: JsonObject,
  reviewGroup: string,
  { open, service }: ConversionCalls,
  definition: EventSubject,
): RemoteConversion {
  const address = { ...addressOf(objectAt(webhook, 'clientConfig') ?? {}), configuredBy: definition };
  const reviews = webhook.conversionReviewVersions;
  const version = isStringArray(reviews) ? reviews.find((each) => knownReviews.includes(each)) : undefined;
  const reviewVersion = `${reviewGroup}/${version ?? 'v1'}`;
  let line: WebhookLine | undefined;
  let isClosed = false;
  const close = (): void => {
    line?.close();
    line = undefined;
  };
  const post: Post = async (body) => {
    line ??= open?.(address);
    const answer = await line?.post({ body: () => body, timeoutMs, service });
    // Requests that began before the definition changed may still call the webhook.
    if (isClosed) close();
    return answer ?? { ok: false, problem: 'this server calls no webhooks' };
  };
  return {
    convert: (objects, apiVersion) => convert(post, reviewVersion, objects, apiVersion),
    close: () => {
      isClosed = true;
      close();
    },
  };
}

function addressOf(config: JsonObject): WebhookAddress {
  const bundle = stringAt(config, 'caBundle');
  const ca = bundle === '' ? {} : { ca: Buffer.from(bundle, 'base64').toString() };
  const service = objectAt(config, 'service');
  if (!service) return { url: stringAt(config, 'url'), ...ca };
  return {
    namespace: stringAt(service, 'namespace'),
    name: stringAt(service, 'name'),
    port: typeof service.port === 'number' ? service.port : 443,
    path: stringAt(service, 'path'),
    ...ca,
  };
}

async function convert(
  post: Post,
  reviewVersion: string,
  objects: readonly JsonObject[],
  apiVersion: string,
): Promise<Result<readonly JsonObject[]>> {
  const [first = {}] = objects;
  const uid = randomUUID();
  const sent = { uid, desiredAPIVersion: apiVersion, objects: [...objects] };
  const body = encodeJson({ kind: 'ConversionReview', apiVersion: reviewVersion, request: sent });
  const answer = await post(body);
  const failed = (problem: string): Result<never> => refuse(`conversion webhook for ${kindText(first)} ${problem}`);
  if (!answer.ok) return failed(`failed: ${answer.problem}`);
  const read = readReview(answer.text, reviewVersion, uid);
  if (!read.ok) return failed(`failed: ${read.problem}`);
  if (read.objects.length !== objects.length) {
    return failed(`returned ${read.objects.length} objects, expected ${objects.length}`);
  }
  const results: JsonObject[] = [];
  for (const [i, object] of objects.entries()) {
    const checked = checkedObject(object, read.objects[i], apiVersion);
    if (!checked.ok) return failed(`returned invalid converted object at index ${i}: ${checked.problem}`);
    results.push(checked.object);
  }
  return { ok: true, value: results };
}

type Read<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly problem: string };

const wrong = (problem: string): { readonly ok: false; readonly problem: string } => ({ ok: false, problem });

function readReview(text: string, version: string, uid: string): Read<{ readonly objects: readonly JsonValue[] }> {
  const decoded = decodeJson(Buffer.from(text));
  if (!decoded.ok) return wrong(decoded.problem);
  const review = isObject(decoded.value) ? decoded.value : {};
  if (review.apiVersion !== version || review.kind !== 'ConversionReview') {
    return wrong(`expected webhook response of ${version}, Kind=ConversionReview, got ${kindText(review)}`);
  }
  const response = objectAt(review, 'response');
  if (!response) return wrong('no response provided');
  if (response.uid !== uid) {
    return wrong(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`);
  }
  const result = objectAt(response, 'result');
  const status = stringAt(result, 'status');
  if (status !== 'Success') {
    const said = stringAt(result, 'message');
    return wrong(said !== '' ? said : `response.result.status was ${JSON.stringify(status)}, not "Success"`);
  }
  return { ok: true, objects: isArray(response.convertedObjects) ? response.convertedObjects : [] };
}

/**
 * Checks that a converted object is the same object. In the metadata, a webhook may change only labels and annotations.
 */
function checkedObject(
  before: JsonObject,
  after: JsonValue | undefined,
  apiVersion: string,
): Read<{ object: JsonObject }> {
  if (!isObject(after)) return wrong('it is not an object');
  if (after.apiVersion !== apiVersion) {
    return wrong(`invalid groupVersion (expected ${apiVersion}, received ${stringAt(after, 'apiVersion')})`);
  }
  if (after.kind !== before.kind) {
    return wrong(`invalid kind (expected ${stringAt(before, 'kind')}, received ${stringAt(after, 'kind')})`);
  }
  const [own, converted] = [objectAt(before, 'metadata'), objectAt(after, 'metadata')];
  if (!converted) return wrong('missing metadata in converted object');
  for (const [field, title] of identity) {
    const [wanted, found] = [stringAt(own, field), stringAt(converted, field)];
    if (wanted !== found) return wrong(`must have the same ${title}: ${wanted} != ${found}`);
  }
  const metadata: JsonObject = clone(own ?? {});
  for (const field of ['labels', 'annotations']) {
    const value = converted[field] ?? undefined;
    if (value !== undefined && !isStringMap(value)) return wrong(`metadata.${field} must be a map of strings`);
    if (value === undefined) delete metadata[field];
    else metadata[field] = value;
  }
  return { ok: true, object: { ...after, metadata } };
}

const identity = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

function kindText(object: JsonObject): string {
  const { group, version } = parseGroupVersion(stringAt(object, 'apiVersion')) ?? { group: '', version: '' };
  return `${group}/${version}, Kind=${stringAt(object, 'kind')}`;
}

const refuse = (message: string): { readonly ok: false; readonly failure: Failure } => ({
  ok: false,
  failure: { reason: 'Unknown', message },
});

/** Opens conversions, and knows the names and the lifetime of their definition. */
interface RemoteParts {
  readonly remote?: (webhook: JsonObject, definition: EventSubject) => RemoteConversion;
  readonly rename?: (platformName: string) => string;
  readonly defined?: { readonly uid: string | undefined; readonly ended: AbortSignal };
}

/** Returns the conversion by the webhook of a definition. Its connections close when the definition changes. */
export function remoteOf(stored: ResourceModule, parts: RemoteParts): RemoteConversion | undefined {
  const { conversionWebhook: webhook, group, names } = stored;
  if (!webhook || !parts.remote) return undefined;
  const definitions = 'apiextensions.platform.io';
  const conversion = parts.remote(webhook, {
    apiVersion: formatGroupVersion(parts.rename?.(definitions) ?? definitions, 'v1'),
    kind: 'CustomResourceDefinition',
    name: `${names.plural}.${group}`,
    uid: parts.defined?.uid,
  });
  parts.defined?.ended.addEventListener('abort', () => conversion.close(), { once: true });
  return conversion;
}
