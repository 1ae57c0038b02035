/** Checks the fields of custom resources that their scale subresource names: it could not show them otherwise. */
import type { ApiObject, FieldError } from '../../../contract/index.js';
import { scaleSpecErrors, scaleStatusErrors } from '../../scale-fields.js';
import { subresourceName, type Write } from '../../write.js';

const none: readonly FieldError[] = [];

/** Errors of the counts and the selector. Built-in kinds have types and checks of their own for them. */
export function scaleErrors(write: Write, object: ApiObject): readonly FieldError[] {
  const { module, subresources } = write.resource;
  const paths = module.decoding === 'structural' ? subresources.get('scale')?.scale : undefined;
  if (paths === undefined) return none;
  const ofStatus = scaleStatusErrors(paths, object);
  return subresourceName(write) === 'status' ? ofStatus : [...scaleSpecErrors(paths, object), ...ofStatus];
}
