/** The questions of access reviews: what is wrong with them, and what authorizers make of them. */
import type {
  AccessAttributes,
  AccessDecision,
  ApiObject,
  Authorizer,
  Failure,
  FieldError,
  JsonObject,
  UserInfo,
} from '../../runtime/contract/index.js';
import { invalidValue, Verbatim } from '../../runtime/objects/field-error.js';
import { getOwn, isArray, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { quote } from '../../runtime/objects/printing.js';
import { invalid } from '../../runtime/objects/status.js';

/** What is wrong with the request that a review speaks of: it is for a resource or for another path. */
export function requestErrors(spec: JsonObject | undefined): readonly FieldError[] {
  const resource = objectAt(spec, 'resourceAttributes');
  const path = objectAt(spec, 'nonResourceAttributes');
  if (resource && path) return [pathError(path, 'cannot be specified in combination with resourceAttributes')];
  if (resource || path) return [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalidValue('spec.resourceAttributes', null, why)];
}

/** The refusal of a question about a path. */
export function pathError(path: JsonObject, why: string): FieldError {
  const printed = `authorization.NonResourceAttributes{Path:${quote(stringAt(path, 'path'))}, Verb:${quote(stringAt(path, 'verb'))}}`;
  return invalidValue('spec.nonResourceAttributes', new Verbatim(printed), why);
}

/** What is wrong with the user that a review speaks of. */
export function userErrors(spec: JsonObject | undefined): readonly FieldError[] {
  const groups = spec && getOwn(spec, 'groups');
  if (stringAt(spec, 'user') !== '' || (isArray(groups) && groups.length > 0)) return [];
  return [invalidValue('spec.user', '', 'at least one of user or group must be specified')];
}

/** A review is not an object that could be called something. `allowed` are the fields that it has all the same. */
export function metadataErrors({ metadata }: ApiObject, allowed: readonly string[] = []): readonly FieldError[] {
  const said = Object.entries(metadata).filter(
    ([key, value]) => value !== undefined && key !== 'managedFields' && !allowed.includes(key),
  );
  return said.length === 0 ? [] : [invalidValue('metadata', Object.fromEntries(said), 'must be empty')];
}

/** The refusal of a review; such errors name no kind. */
export const refusal = (group: string, errors: readonly FieldError[]): Failure | undefined =>
  errors.length === 0 ? undefined : invalid(group, '', '', errors);

/** Asks an authorizer, and writes its decision as the status of reviews has it. */
export async function decide(authorizer: Authorizer, user: UserInfo, spec: JsonObject): Promise<JsonObject> {
  return describeDecision(await authorizer.decide(toAttributes(user, spec)));
}

function toAttributes(user: UserInfo, spec: JsonObject): AccessAttributes {
  const path = objectAt(spec, 'nonResourceAttributes');
  if (path) return { user, verb: stringAt(path, 'verb'), path: stringAt(path, 'path') };
  const asked = objectAt(spec, 'resourceAttributes');
  return {
    user,
    verb: stringAt(asked, 'verb'),
    group: stringAt(asked, 'group'),
    resource: stringAt(asked, 'resource'),
    subresource: stringAt(asked, 'subresource'),
    namespace: stringAt(asked, 'namespace'),
    name: stringAt(asked, 'name'),
  };
}

function describeDecision({ decision, reason, evaluationError }: AccessDecision): JsonObject {
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason ? { reason } : {}),
    ...(evaluationError ? { evaluationError } : {}),
  };
}
