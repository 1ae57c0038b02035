/** The questions of access reviews: their errors, and the answers of an authorizer to them. */
import type {
  NonResourceAttributes,
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
} from '../../generated/types/authorization/v1/types.js';
import type {
  AccessAttributes,
  AccessDecision,
  ApiObject,
  Authorizer,
  Draft,
  Failure,
  FieldError,
  UserInfo,
} from '../../runtime/contract/index.js';
import { invalidValue, Verbatim } from '../../runtime/objects/field-error.js';
import { quote } from '../../runtime/objects/printing.js';
import { invalid } from '../../runtime/objects/status.js';

/** The spec of an access review; that of a review of the caller has no user. */
export type ReviewSpec = Draft<SubjectAccessReviewSpec>;

/** Errors of the request that a review asks about: it is for a resource or for another path. */
export function requestErrors(spec: ReviewSpec): readonly FieldError[] {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  if (resource && path) return [pathError(path, 'cannot be specified in combination with resourceAttributes')];
  if (resource || path) return [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalidValue('spec.resourceAttributes', null, why)];
}

/** The error of a question about a path. */
export function pathError({ path = '', verb = '' }: Draft<NonResourceAttributes>, why: string): FieldError {
  const printed = `authorization.NonResourceAttributes{Path:${quote(path)}, Verb:${quote(verb)}}`;
  return invalidValue('spec.nonResourceAttributes', new Verbatim(printed), why);
}

/** Errors of the user that a review asks about. */
export function userErrors({ user = '', groups = [] }: ReviewSpec): readonly FieldError[] {
  if (user !== '' || groups.length > 0) return [];
  return [invalidValue('spec.user', '', 'at least one of user or group must be specified')];
}

/** A review has no metadata but managed fields and the fields in `allowed`. */
export function metadataErrors({ metadata }: ApiObject, allowed: readonly string[] = []): readonly FieldError[] {
  const said = Object.entries(metadata).filter(
    ([key, value]) => value !== undefined && key !== 'managedFields' && !allowed.includes(key),
  );
  return said.length === 0 ? [] : [invalidValue('metadata', Object.fromEntries(said), 'must be empty')];
}

/** The failure of a review, which names no kind; `undefined` without errors. */
export const refusal = (group: string, errors: readonly FieldError[]): Failure | undefined =>
  errors.length === 0 ? undefined : invalid(group, '', '', errors);

/** The decision of an authorizer as the status of a review. */
export async function decide(
  authorizer: Authorizer,
  user: UserInfo,
  spec: ReviewSpec,
): Promise<Draft<SubjectAccessReviewStatus>> {
  return describeDecision(await authorizer.decide(toAttributes(user, spec)));
}

function toAttributes(user: UserInfo, spec: ReviewSpec): AccessAttributes {
  if (spec.nonResourceAttributes) {
    const { verb = '', path = '' } = spec.nonResourceAttributes;
    return { user, verb, path };
  }
  const {
    verb = '',
    group = '',
    version = '',
    resource = '',
    subresource = '',
    namespace = '',
    name = '',
  } = spec.resourceAttributes ?? {};
  return { user, verb, group, version: version || '*', resource, subresource, namespace, name };
}

function describeDecision({ decision, reason, evaluationError }: AccessDecision): Draft<SubjectAccessReviewStatus> {
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason ? { reason } : {}),
    ...(evaluationError ? { evaluationError } : {}),
  };
}
