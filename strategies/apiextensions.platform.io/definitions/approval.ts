/** Definitions in the project's own groups have to say who approved them. */
import { approvalAnnotation, approvalIn, isProtectedGroup } from '../../../runtime/objects/api-approval.js';
import { invalidValue, required } from '../../../runtime/objects/field-error.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import type { Definition } from './definition.js';

/** Errors of the approval of a definition. An update may keep an approval that was wrong in the same way before. */
export function* approvalErrors(definition: Definition, old: Definition | undefined, names: Naming): FieldErrors {
  if (!isProtectedGroup(definition.spec?.group ?? '', names)) return;
  const { annotations } = definition.metadata;
  const { state, message } = approvalIn(annotations, names);
  if (old !== undefined && approvalIn(old.metadata.annotations, names).state === state) return;
  const key = approvalAnnotation(names);
  const path = `metadata.annotations[${key}]`;
  if (state === 'missing') yield required(path, message);
  else if (state === 'invalid') yield invalidValue(path, annotations?.[key], message);
}
