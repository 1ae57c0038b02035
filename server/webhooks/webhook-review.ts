/** Answers a ConversionReview, the request of a server to a webhook that converts objects. */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { type Convert, decodeJson } from '../../runtime/server/index.js';

/** An HTTP status and its body. */
export interface ReviewAnswer {
  readonly code: number;
  readonly body: JsonObject;
  /** The objects that could not be converted, for the log. */
  readonly problem?: string;
}

/** Versions of reviews, in both namings. They do not differ for conversions. */
const reviewVersions: ReadonlySet<string> = new Set(
  ['apiextensions.k8s.io', 'apiextensions.platform.io'].flatMap((group) => [`${group}/v1`, `${group}/v1beta1`]),
);

/** After this many objects, other work gets a turn. */
const IN_ONE_TURN = 50;

/**
 * Converts all objects of a review, or none. Answers 400 to a body that is not a review, and a review with `Failed` if
 * an object cannot be converted.
 */
export async function answerReview(body: Uint8Array, convert: Convert): Promise<ReviewAnswer> {
  const decoded = decodeJson(body);
  if (!decoded.ok) return badRequest(`the body is not JSON: ${decoded.problem}`);
  const review = decoded.value;
  if (!isObject(review)) return badRequest('the body is not a ConversionReview');
  const [apiVersion, kind] = [stringAt(review, 'apiVersion'), stringAt(review, 'kind')];
  if (kind !== 'ConversionReview' || !reviewVersions.has(apiVersion)) {
    const found = `${kind || '(no kind)'} of ${apiVersion || '(no apiVersion)'}`;
    return badRequest(`the body is ${found}, not a ConversionReview of apiextensions.k8s.io/v1`);
  }
  const request = objectAt(review, 'request');
  const [uid, wanted] = [stringAt(request, 'uid'), stringAt(request, 'desiredAPIVersion')];
  if (!request || uid === '') return badRequest('the review has no request with a uid');
  if (wanted === '') return badRequest('the request has no desiredAPIVersion');
  if (!isArray(request.objects)) return badRequest('the request has no list of objects');
  const converted = await convertAll(request.objects, wanted, convert);
  const response = converted.ok
    ? { uid, result: { status: 'Success' }, convertedObjects: converted.objects }
    : { uid, result: { status: 'Failed', message: converted.problem } };
  const answer = { code: 200, body: { kind, apiVersion, response } };
  return converted.ok ? answer : { ...answer, problem: converted.problem };
}

type ConvertedAll =
  | { readonly ok: true; readonly objects: JsonObject[] }
  | { readonly ok: false; readonly problem: string };

async function convertAll(values: readonly JsonValue[], apiVersion: string, convert: Convert): Promise<ConvertedAll> {
  const objects: JsonObject[] = [];
  for (const [index, value] of values.entries()) {
    if (index > 0 && index % IN_ONE_TURN === 0) await new Promise(setImmediate);
    if (!isObject(value)) return { ok: false, problem: `objects[${index}] is not an object` };
    const converted = await convertOne(value, apiVersion, convert);
    if (!converted.ok) return { ok: false, problem: `objects[${index}]${nameOf(value)}: ${converted.problem}` };
    objects.push(converted.object);
  }
  return { ok: true, objects };
}

type ConvertedOne =
  | { readonly ok: true; readonly object: JsonObject }
  | { readonly ok: false; readonly problem: string };

/** Converts one object. A conversion may change labels and annotations. All other metadata stays the same. */
async function convertOne(object: JsonObject, apiVersion: string, convert: Convert): Promise<ConvertedOne> {
  const own = objectAt(object, 'metadata') ?? {};
  const { labels, annotations, ...metadata } = own;
  const seen = { name: own.name, ...(labels === undefined ? {} : { labels }), ...(annotations ? { annotations } : {}) };
  const converted = await convert({ ...object, metadata: seen }, apiVersion);
  if (!converted.ok) return { ok: false, problem: converted.failure.message };
  const { metadata: found, ...rest } = converted.value.object;
  const kept: JsonObject = { ...metadata };
  for (const field of ['labels', 'annotations'] as const) {
    const value = isObject(found) ? found[field] : undefined;
    if (value !== undefined) kept[field] = value;
  }
  return { ok: true, object: { ...rest, metadata: kept } };
}

function nameOf(object: JsonObject): string {
  const metadata = objectAt(object, 'metadata');
  const [namespace, name] = [stringAt(metadata, 'namespace'), stringAt(metadata, 'name')];
  return name === '' ? '' : ` (${namespace === '' ? '' : `${namespace}/`}${name})`;
}

/** Returns a refusal in the API's form. */
export function refusal(code: number, reason: string, message: string): ReviewAnswer {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  return { code, body, problem: message };
}

const badRequest = (message: string): ReviewAnswer => refusal(400, 'BadRequest', message);
