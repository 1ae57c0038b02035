/** Writes the review that a webhook gets and reads its answer. */
import { decodeJson, jsonTypeOf } from '../../../runtime/codec/json.js';
import { notAnObject } from '../../../runtime/codec/undecodable.js';
import { decodeYaml } from '../../../runtime/codec/yaml/yaml.js';
import type {
  AdmissionAttributes,
  ApiObject,
  Failure,
  JsonObject,
  JsonValue,
  ResourceModule,
} from '../../../runtime/contract/index.js';
import { isObject, isString, isStringArray, isStringMap, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { parseGroupVersion } from '../../../runtime/objects/names/names.js';
import { badByte } from '../../../runtime/schema/engine/normalize.js';
import { requestValue, type SeenObjects, shownObject } from '../shared/admission-request.js';

/**
 * Returns the request of a review, with its objects in the version of `resource`. `unsetTimes`: whether new objects of
 * built-in kinds have a null for the time of their creation.
 */
export function reviewRequest(
  uid: string,
  attributes: AdmissionAttributes,
  resource: ResourceModule,
  { object, oldObject }: SeenObjects,
  unsetTimes: boolean,
): JsonObject {
  return {
    uid,
    ...requestValue(attributes, { object, oldObject, matched: resource }),
    object: object ? newObject(attributes, object, unsetTimes && resource.decoding === 'typed') : null,
    oldObject: oldObject ?? null,
  };
}

/** Returns the new object. If `unsetTimes`, a missing creation time becomes null. */
function newObject({ operation }: AdmissionAttributes, object: ApiObject, unsetTimes: boolean): JsonObject {
  if (operation === 'CONNECT') return shownObject(operation, object);
  const { metadata } = object;
  if (!unsetTimes || metadata.creationTimestamp !== undefined) return object;
  return { ...object, metadata: { ...metadata, creationTimestamp: null } };
}

/** An answer with fields of valid types. */
export interface ReviewAnswer {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status: JsonObject | undefined;
  /** Decoded; empty if there is none. */
  readonly patch: string;
  readonly patchType: string | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: ReadonlyMap<string, string>;
}

export type ReadReview =
  | { readonly ok: true; readonly answer: ReviewAnswer }
  | { readonly ok: false; readonly problem: string };

/** Reads an answer in JSON or YAML. A problem begins with the step that failed. */
export function readReview(text: string, apiVersion: string, uid: string): ReadReview {
  const json = decodeJson(text);
  const decoded = json.ok ? json : decodeYaml(Buffer.from(text));
  if (!decoded.ok) return uncalled(`couldn't get version/kind; json parse error: ${json.ok ? '' : json.problem}`);
  const review = decoded.value;
  if (!isObject(review)) return uncalled(notAnObject(review));
  const [said, kind] = [stringAt(review, 'apiVersion'), stringAt(review, 'kind')];
  if (said !== '' || kind !== '') {
    const problem = kindProblem(said, kind, apiVersion);
    if (problem !== undefined) return uncalled(problem);
  }
  const response = review.response ?? undefined;
  if (response === undefined) return invalidAnswer('webhook response was absent');
  const answer = answerOf(response);
  if (typeof answer === 'string') return uncalled(answer);
  if (apiVersion.endsWith('/v1')) {
    if (answer.uid !== uid) {
      return invalidAnswer(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(answer.uid)}`);
    }
    if (kind === '') {
      return invalidAnswer(`expected webhook response of ${apiVersion}, Kind=AdmissionReview, got /, Kind=`);
    }
  }
  return { ok: true, answer };
}

const uncalled = (problem: string): ReadReview => ({ ok: false, problem: `failed to call webhook: ${problem}` });

const invalidAnswer = (problem: string): ReadReview => ({
  ok: false,
  problem: `received invalid webhook response: ${problem}`,
});

function kindProblem(said: string, kind: string, wanted: string): string | undefined {
  if (said === wanted && kind === 'AdmissionReview') return undefined;
  const [is, should] = [parseGroupVersion(said), parseGroupVersion(wanted)];
  const isOther = kind === 'AdmissionReview' && is?.group === should?.group && /^v1(beta1)?$/.test(is?.version ?? '');
  if (!isOther) return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(said)}`;
  return `converting (${is?.version}.AdmissionReview) to (${should?.version}.AdmissionReview): unknown conversion`;
}

/** Returns the answer, or the problem if a field has a wrong type. */
function answerOf(response: JsonValue): ReviewAnswer | string {
  if (!isObject(response)) return mistyped(response, 'AdmissionReview.response', 'AdmissionResponse');
  const typed = <T extends JsonValue>(
    key: string,
    is: (value: JsonValue) => value is T,
    what: string,
  ): T | undefined => {
    const value = response[key] ?? undefined;
    if (value === undefined || is(value)) return value;
    wrong ??= mistyped(value, `AdmissionResponse.response.${key}`, what);
    return undefined;
  };
  let wrong: string | undefined;
  const patch = typed('patch', isString, '[]uint8') ?? '';
  const answer: ReviewAnswer = {
    uid: typed('uid', isString, 'types.UID') ?? '',
    allowed: typed('allowed', isTruth, 'bool') ?? false,
    status: typed('status', isObject, 'v1.Status') && objectAt(response, 'status'),
    patch: Buffer.from(patch, 'base64').toString(),
    patchType: typed('patchType', isString, 'PatchType'),
    warnings: typed('warnings', isStringArray, '[]string') ?? [],
    auditAnnotations: new Map(Object.entries(typed('auditAnnotations', isStringMap, 'map[string]string') ?? {})),
  };
  if (wrong !== undefined) return wrong;
  return isBase64(patch) ? answer : `illegal base64 data at input byte ${badByte(patch)}`;
}

const isTruth = (value: JsonValue): value is boolean => typeof value === 'boolean';
const isBase64 = (text: string): boolean =>
  /^[A-Za-z0-9+/]*={0,2}$/.test(text.replaceAll(/[\r\n]/g, '')) && text.replaceAll(/[\r\n]/g, '').length % 4 === 0;

const mistyped = (value: JsonValue, field: string, what: string): string =>
  `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field ${field} of type ${what}`;

/**
 * Returns the failure of a denied request. It carries the webhook's code, reason and details; a code that is not an
 * error becomes 400.
 */
export function denial(webhook: string, status: JsonObject | undefined): Failure {
  const { code } = status ?? {};
  const [said, reason] = [stringAt(status, 'message'), stringAt(status, 'reason')];
  const by = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const why = said || reason;
  return {
    reason: 'Unknown',
    message: why === '' ? `${by} without explanation` : `${by}: ${why}`,
    code: typeof code === 'number' && code >= 400 && code <= 599 ? code : 400,
    given: { reason, details: objectAt(status, 'details') },
  };
}
