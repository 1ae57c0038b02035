/** SubjectAccessReview, LocalSubjectAccessReview and SelfSubjectAccessReview: whether a user may do something. */
import type { SubjectAccessReview } from '../../generated/authorization.platform.io/v1/subjectaccessreviews/types.js';
import type {
  DraftObject,
  FieldError,
  UserInfo,
  VirtualContext,
  VirtualHandler,
} from '../../runtime/contract/index.js';
import { defineVirtualHandler } from '../../runtime/objects/define-virtual-handler.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { readUser } from '../authentication.platform.io/users.js';
import { decide, metadataErrors, pathError, refusal, requestErrors, userErrors } from './access-questions.js';

const group = 'authorization.platform.io';

/** The three reviews that ask about one request. */
export const defineAccessReviews = (names: Naming): readonly VirtualHandler[] => [
  defineReview(names, 'subjectaccessreviews', subjectErrors, aboutSubject),
  defineReview(names, 'localsubjectaccessreviews', localErrors, aboutSubject),
  defineReview(names, 'selfsubjectaccessreviews', selfErrors, (_review, { user }) => user),
];

/** Any of the three: the spec of a local review has the same fields, that of a self review the same but for the user. */
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
    check: (review) => refusal(names.rename(group), errorsOf(review)),
    async create(review, context) {
      review.status = await decide(context.authorizer, userOf(review, context), review.spec ?? {});
      return { ok: true, value: review };
    },
  });
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

/** A local review asks about its own namespace only. */
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
