/** Definitions in the project's own groups have to say who approved them. */
import type { ApiObject } from '../../../runtime/contract/index.js';
import { approvalAnnotation, approvalIn, isProtectedGroup } from '../../../runtime/objects/api-approval.js';
import { invalidValue, required } from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import type { FieldErrors } from '../../shared/field-checks.js';

/** What is wrong with the approval of a definition. Updates let be what was wrong in the same way before. */
export function* approvalErrors(definition: ApiObject, old: ApiObject | undefined, names: Naming): FieldErrors {
  if (!isProtectedGroup(stringAt(objectAt(definition, 'spec'), 'group'), names)) return;
  const { annotations } = definition.metadata;
  const { state, message } = approvalIn(annotations, names);
  if (old !== undefined && approvalIn(old.metadata.annotations, names).state === state) return;
  const key = approvalAnnotation(names);
  const path = `metadata.annotations[${key}]`;
  if (state === 'missing') yield required(path, message);
  else if (state === 'invalid') yield invalidValue(path, annotations?.[key], message);
}
