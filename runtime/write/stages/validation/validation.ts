/** The validation stage: metadata, then the schema, then what the kind's handlers adds, then rules. */
import type { ApiObject, Failure, FieldError, HandlerContext } from '../../../contract/index.js';
import { inFieldOrder } from '../../../objects/field-order.js';
import { invalid } from '../../../objects/status.js';
import { withoutOldRepeats } from '../../../schema/index.js';
import type { Attempt, UpdateAttempt } from '../../attempt.js';
import { subresourceName, type Write } from '../../write.js';
import { validateMetadata, validateMetadataAgain, validateMetadataUpdate } from './metadata-validation.js';

import { checkRules } from './rule-validation.js';
import { scaleErrors } from './scale-validation.js';

/** Checks a new object. */
export function validateCreate({ write, object }: Pick<Attempt, 'write' | 'object'>): Failure | undefined {
  const { resource } = write;
  const { handlers } = resource;
  const context = handlerContext(write);
  const ofSchema: FieldError[] = [];
  resource.functions.validate(object, ofSchema);
  ofSchema.push(...scaleErrors(write, object));
  const ofHandlers = handlers?.validate?.(object, context) ?? [];
  const ofNew = handlers?.validateCreate?.(object, context) ?? [];
  const order = handlers?.errorOrder;
  const own = order ? inFieldOrder([...ofSchema, ...ofNew], ofHandlers, order) : [...ofSchema, ...ofHandlers, ...ofNew];
  const errors = [...validateMetadata(resource, object), ...own];
  checkRules(resource, object, undefined, errors, write.services.observer);
  return refusal(write, object, errors);
}

/**
 * Checks an update. Some errors are told more than once, as the reference tells them: `validateMetadataUpdate` has
 * why.
 */
export function validateUpdate({
  write,
  object,
  old,
}: Pick<UpdateAttempt, 'write' | 'object' | 'old'>): Failure | undefined {
  const { resource } = write;
  const { functions, handlers } = resource;
  const context = handlerContext(write);
  const whole = context.subresource === '';
  const ofSchema: FieldError[] = [];
  functions.validate(object, ofSchema);
  const found = [
    ...withoutOldRepeats(functions, resource.module.decoding, ofSchema, old),
    ...scaleErrors(write, object),
  ];
  const ofHandlers = handlers?.validate?.(object, context) ?? [];
  const own = handlers?.checkedOnce ? [] : inFieldOrder(found, ofHandlers, handlers?.errorOrder);
  const ofMetadata = validateMetadataUpdate(resource, object, old);
  const isAgain = whole && handlers?.repeatsMetadataErrors === true && ofMetadata.length > 0;
  const again = isAgain ? validateMetadataAgain(resource, object) : [];
  const fixed: FieldError[] = [];
  functions.validateUpdate?.(object, old, fixed);
  const changes = [
    ...inFieldOrder(fixed, [], handlers?.changeOrder),
    ...(handlers?.validateUpdate?.(object, old, context) ?? []),
  ];
  const told = whole ? handlers?.repeatsErrors : undefined;
  const errors = [
    ...ofMetadata,
    ...(handlers?.changesFirst ? [...changes, ...again, ...own] : [...again, ...own]),
    ...(told === true ? own : []),
    ...(handlers?.changesFirst ? [] : changes),
    ...(typeof told === 'string' ? own.filter(({ field }) => isWithin(field, told)) : []),
  ];
  checkRules(resource, object, old, errors, write.services.observer);
  return refusal(write, object, errors);
}

/** Whether a field is the one at a path, or lies in it. */
const isWithin = (field: string, path: string): boolean =>
  field.startsWith(path) && /^(?:[.[]|$)/.test(field.slice(path.length));

/** The request as the handlers of a kind may know it. */
export const handlerContext = (write: Write): HandlerContext => ({
  user: write.user,
  subresource: subresourceName(write),
  now: write.now,
  featureEnabled: write.services.featureEnabled,
});

function refusal(write: Write, object: ApiObject, errors: readonly FieldError[]): Failure | undefined {
  if (errors.length === 0) return undefined;
  const { module, stored } = write.resource;
  // As in the reference, objects that two groups share are refused in the name of the one that stores them.
  return invalid(stored.module.group, module.names.kind, object.metadata.name ?? '', errors);
}
