/** Writes the review of a request (SubjectAccessReview) that a webhook is asked for, and reads what it decides. */
import type {
  AccessAttributes,
  AccessDecision,
  JsonObject,
  JsonValue,
  UserInfo,
} from '../../../runtime/contract/index.js';
import { getOwn, stringAt } from '../../../runtime/objects/guards.js';
import { readStatus } from '../../webhook/read-status.js';

/** The versions of the reviews. */
export type ReviewVersion = 'v1' | 'v1beta1';

/** The spec of a review. The older version has the user's groups under another name. */
export function specOf(attributes: AccessAttributes, version: ReviewVersion): JsonObject {
  return { ...whatIsAsked(attributes), ...whoAsks(attributes.user, version === 'v1' ? 'groups' : 'group') };
}

function whatIsAsked(attributes: AccessAttributes): JsonObject {
  if ('path' in attributes) {
    return { nonResourceAttributes: present({ path: attributes.path, verb: attributes.verb }) };
  }
  const { namespace, verb, group, version, resource, subresource, name } = attributes;
  return { resourceAttributes: present({ namespace, verb, group, version, resource, subresource, name }) };
}

function whoAsks({ name, uid, groups, extra }: UserInfo, groupsField: string): JsonObject {
  const extras = Object.entries(extra).map(([key, values]): [string, JsonValue] => [key, [...values]]);
  return {
    ...present({ user: name, uid }),
    ...(groups.length === 0 ? {} : { [groupsField]: [...groups] }),
    ...(extras.length === 0 ? {} : { extra: Object.fromEntries(extras) }),
  };
}

/** The fields that say something. */
const present = (fields: Readonly<Record<string, string | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined && field[1] !== ''),
  );

/** The body to post. */
export const reviewOf = (apiVersion: string, spec: JsonObject): string =>
  JSON.stringify({
    kind: 'SubjectAccessReview',
    apiVersion,
    metadata: { creationTimestamp: null },
    spec,
    status: { allowed: false },
  });

/** The decision of a webhook, or why its answer is none. */
export type WebhookDecision =
  | { readonly ok: true; readonly decision: AccessDecision }
  | { readonly ok: false; readonly problem: string };

/** Reads an answer, which has to be a review of the version that was sent. A denial counts more than an admission. */
export function readDecision(text: string, apiVersion: string): WebhookDecision {
  const answer = readStatus(text, 'SubjectAccessReview', apiVersion);
  if (!answer.ok) return answer;
  const [allowed, denied] = ['allowed', 'denied'].map((field) => answer.status && getOwn(answer.status, field));
  if (!isFlag(allowed) || !isFlag(denied)) {
    return { ok: false, problem: 'status.allowed and status.denied of the answer are not true or false' };
  }
  const said = stringAt(answer.status, 'reason');
  const reason = said === '' ? {} : { reason: said };
  if (denied && allowed) {
    const evaluationError = 'webhook subject access review returned both allow and deny response';
    return { ok: true, decision: { decision: 'deny', ...reason, evaluationError } };
  }
  const decision = denied ? 'deny' : allowed ? 'allow' : 'no opinion';
  return { ok: true, decision: { decision, ...reason } };
}

const isFlag = (value: JsonValue | undefined): value is boolean | null | undefined =>
  value === undefined || value === null || typeof value === 'boolean';
