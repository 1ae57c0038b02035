/** SubjectAccessReview, LocalSubjectAccessReview and SelfSubjectAccessReview: may a user do something? */
import type { SubjectAccessReview } from '../../generated/authorization.platform.io/v1/subjectaccessreviews/types.js';
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
  DraftObject,
  Failure,
  FieldError,
  UserInfo,
  VirtualContext,
  VirtualHandler,
} from '../../runtime/contract/index.js';
import { defineVirtualHandler } from '../../runtime/objects/define-virtual-handler.js';
import { invalidValue, Verbatim } from '../../runtime/objects/field-error.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { invalid } from '../../runtime/objects/status.js';
import { readUser } from '../authentication.platform.io/tokenreviews.js';
import { readReviewSelectors, selectorErrors } from './review-selectors.js';

/** The spec of an access review. A self review has no user. */
type ReviewSpec = Draft<SubjectAccessReviewSpec>;

const group = 'authorization.platform.io';

/** The three reviews that ask about one request. */
export const defineAccessReviews = (names: Naming): readonly VirtualHandler[] => [
  defineReview(names, 'subjectaccessreviews', subjectErrors, aboutSubject),
  defineReview(names, 'localsubjectaccessreviews', localErrors, aboutSubject),
  defineReview(names, 'selfsubjectaccessreviews', selfErrors, (_review, { user }) => user),
];

/** A review asks about a resource or about another path, not both. */
function requestErrors(spec: ReviewSpec): readonly FieldError[] {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  if (resource && path) {
    return [pathError(path, 'cannot be specified in combination with resourceAttributes'), ...selectorErrors(resource)];
  }
  if (resource) return selectorErrors(resource);
  if (path) return [];
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalidValue('spec.resourceAttributes', null, why)];
}

/** Returns the error of a question about a path. */
function pathError({ path = '', verb = '' }: Draft<NonResourceAttributes>, why: string): FieldError {
  const printed = `authorization.NonResourceAttributes{Path:${quote(path)}, Verb:${quote(verb)}}`;
  return invalidValue('spec.nonResourceAttributes', new Verbatim(printed), why);
}

/** A review names a user or groups. */
function userErrors({ user = '', groups = [] }: ReviewSpec): readonly FieldError[] {
  if (user !== '' || groups.length > 0) return [];
  return [invalidValue('spec.user', '', 'at least one of user or group must be specified')];
}

/** A review has no metadata except managed fields and the fields in `allowed`. */
function metadataErrors({ metadata }: ApiObject, allowed: readonly string[] = []): readonly FieldError[] {
  const said = Object.entries(metadata).filter(
    ([key, value]) => value !== undefined && key !== 'managedFields' && !allowed.includes(key),
  );
  const why = allowed.length === 0 ? 'must be empty' : `must be empty except for ${allowed.join(', ')}`;
  return said.length === 0 ? [] : [invalidValue('metadata', Object.fromEntries(said), why)];
}

/** Returns the failure of a review, which names no kind; `undefined` without errors. */
const refusal = (group: string, errors: readonly FieldError[]): Failure | undefined =>
  errors.length === 0 ? undefined : invalid(group, '', '', errors);

/** Returns an authorizer's decision as the status of a review. */
async function decide(
  authorizer: Authorizer,
  user: UserInfo,
  spec: ReviewSpec,
): Promise<Draft<SubjectAccessReviewStatus>> {
  const { selectors, problems } = readReviewSelectors(spec.resourceAttributes ?? {});
  const decision = await authorizer.decide({ ...toAttributes(user, spec), ...selectors });
  return describeDecision(decision, problems);
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

function describeDecision(
  { decision, reason, evaluationError = '' }: AccessDecision,
  problems: readonly string[],
): Draft<SubjectAccessReviewStatus> {
  const errors = [evaluationError, ...problems].filter((error) => error !== '');
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason ? { reason } : {}),
    ...(errors.length > 0 ? { evaluationError: errors.join('; ') } : {}),
  };
}

/** Any of the three. A local review has the same fields; a self review has no user. */
type Review = DraftObject<SubjectAccessReview>;

function defineReview(
  names: Naming,
  resource: string,
  errorsOf: (review: Review) => readonly FieldError[],
  userOf: (review: Review, context: VirtualContext) => UserInfo,
): VirtualHandler {
  return defineVirtualHandler<SubjectAccessReview>({
    group,
    resource,
    check(review, { featureEnabled }) {
      if (!featureEnabled('AuthorizeWithSelectors')) dropSelectors(review);
      return refusal(names.rename(group), errorsOf(review));
    },
    async create(review, context) {
      review.status = await decide(context.authorizer, userOf(review, context), review.spec ?? {});
      return { ok: true, value: review };
    },
  });
}

function dropSelectors({ spec }: Review): void {
  const { resourceAttributes: asked } = spec ?? {};
  if (!asked) return;
  delete asked.fieldSelector;
  delete asked.labelSelector;
}

const aboutSubject = ({ spec = {} }: Review): UserInfo => readUser(spec);

const subjectErrors = (review: Review): readonly FieldError[] => {
  const { spec = {} } = review;
  return [...requestErrors(spec), ...userErrors(spec), ...metadataErrors(review)];
};

const selfErrors = (review: Review): readonly FieldError[] => [
  ...requestErrors(review.spec ?? {}),
  ...metadataErrors(review),
];

/** A local review asks about its own namespace. */
function localErrors(review: Review): readonly FieldError[] {
  const { spec = {} } = review;
  const { resourceAttributes: asked, nonResourceAttributes: path } = spec;
  const errors = [...requestErrors(spec), ...userErrors(spec), ...metadataErrors(review, ['namespace'])];
  const { namespace = '' } = asked ?? {};
  if (asked && namespace !== review.metadata.namespace) {
    errors.push(invalidValue('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'));
  }
  if (path) errors.push(pathError(path, 'disallowed on this kind of request'));
  return errors;
}
