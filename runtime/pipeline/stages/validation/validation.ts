/** The validation stage: metadata, then the schema, then what the kind's strategy adds, then rules. */
import type { ApiObject, Failure, FieldError, StrategyContext } from '../../../contract/index.js';
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
  const { strategy } = resource;
  const context = strategyContext(write);
  const ofSchema: FieldError[] = [];
  resource.functions.validate(object, ofSchema);
  ofSchema.push(...scaleErrors(write, object));
  const ofStrategy = strategy?.validate?.(object, context) ?? [];
  const ofNew = strategy?.validateCreate?.(object, context) ?? [];
  const order = strategy?.errorOrder;
  const own = order ? inFieldOrder([...ofSchema, ...ofNew], ofStrategy, order) : [...ofSchema, ...ofStrategy, ...ofNew];
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
  const { functions, strategy } = resource;
  const context = strategyContext(write);
  const whole = context.subresource === '';
  const ofSchema: FieldError[] = [];
  functions.validate(object, ofSchema);
  const found = [
    ...withoutOldRepeats(functions, resource.module.decoding, ofSchema, old),
    ...scaleErrors(write, object),
  ];
  const ofStrategy = strategy?.validate?.(object, context) ?? [];
  const own = strategy?.checkedOnce ? [] : inFieldOrder(found, ofStrategy, strategy?.errorOrder);
  const ofMetadata = validateMetadataUpdate(resource, object, old);
  const isAgain = whole && strategy?.repeatsMetadataErrors === true && ofMetadata.length > 0;
  const again = isAgain ? validateMetadataAgain(resource, object) : [];
  const fixed: FieldError[] = [];
  functions.validateUpdate?.(object, old, fixed);
  const changes = [
    ...inFieldOrder(fixed, [], strategy?.changeOrder),
    ...(strategy?.validateUpdate?.(object, old, context) ?? []),
  ];
  const told = whole ? strategy?.repeatsErrors : undefined;
  const errors = [
    ...ofMetadata,
    ...(strategy?.changesFirst ? [...changes, ...again, ...own] : [...again, ...own]),
    ...(told === true ? own : []),
    ...(strategy?.changesFirst ? [] : changes),
    ...(typeof told === 'string' ? own.filter(({ field }) => isWithin(field, told)) : []),
  ];
  checkRules(resource, object, old, errors, write.services.observer);
  return refusal(write, object, errors);
}

/** Whether a field is the one at a path, or lies in it. */
const isWithin = (field: string, path: string): boolean =>
  field.startsWith(path) && /^(?:[.[]|$)/.test(field.slice(path.length));

/** The request as the hooks of a strategy may know it. */
export const strategyContext = (write: Write): StrategyContext => ({
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
