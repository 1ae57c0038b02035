/** SubjectAccessReview and its kin: whether someone may do something. */
import type { ApiObject, FieldError, UserInfo, VirtualContext, VirtualHandler } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { readUser } from '../authentication.platform.io/users.js';
import { decide, metadataErrors, pathError, refusal, requestErrors, userErrors } from './access-questions.js';

const group = 'authorization.platform.io';

/** The three reviews that ask about one request. */
export function defineAccessReviews(names: Naming): readonly VirtualHandler[] {
  return [
    defineReview(names, 'subjectaccessreviews', subjectErrors, aboutSubject),
    defineReview(names, 'localsubjectaccessreviews', localErrors, aboutSubject),
    defineReview(names, 'selfsubjectaccessreviews', selfErrors, (_review, { user }) => user),
  ];
}

function defineReview(
  names: Naming,
  resource: string,
  errorsOf: (review: ApiObject) => readonly FieldError[],
  userOf: (review: ApiObject, context: VirtualContext) => UserInfo,
): VirtualHandler {
  return {
    group,
    resource,
    check: (review) => refusal(names.rename(group), errorsOf(review)),
    async create(review, context) {
      const spec = objectAt(review, 'spec') ?? {};
      review.status = await decide(context.authorizer, userOf(review, context), spec);
      return { ok: true, value: review };
    },
  };
}

const aboutSubject = (review: ApiObject): UserInfo => readUser(objectAt(review, 'spec') ?? {});

function subjectErrors(review: ApiObject): readonly FieldError[] {
  const spec = objectAt(review, 'spec');
  return [...requestErrors(spec), ...userErrors(spec), ...metadataErrors(review)];
}

function selfErrors(review: ApiObject): readonly FieldError[] {
  return [...requestErrors(objectAt(review, 'spec')), ...metadataErrors(review)];
}

/** A right that is given by namespace answers for that namespace only. */
function localErrors(review: ApiObject): readonly FieldError[] {
  const spec = objectAt(review, 'spec');
  const errors = [...requestErrors(spec), ...userErrors(spec), ...metadataErrors(review, ['namespace'])];
  const asked = objectAt(spec, 'resourceAttributes');
  const namespace = stringAt(asked, 'namespace');
  if (asked && namespace !== review.metadata.namespace) {
    errors.push(invalidValue('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'));
  }
  const path = objectAt(spec, 'nonResourceAttributes');
  if (path) errors.push(pathError(path, 'disallowed on this kind of request'));
  return errors;
}
