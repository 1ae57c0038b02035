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
  const own: FieldError[] = [];
  resource.functions.validate(object, own);
  own.push(
    ...scaleErrors(write, object),
    ...(strategy?.validate?.(object, context) ?? []),
    ...(strategy?.validateCreate?.(object, context) ?? []),
  );
  const errors = [...validateMetadata(resource, object), ...inFieldOrder(own, strategy?.errorOrder)];
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
  const found = [...withoutOldRepeats(functions, resource.module.decoding, ofSchema, old)];
  functions.validateUpdate?.(object, old, found);
  found.push(...scaleErrors(write, object), ...(strategy?.validate?.(object, context) ?? []));
  const own = strategy?.checkedOnce ? [] : inFieldOrder(found, strategy?.errorOrder);
  const ofMetadata = validateMetadataUpdate(resource, object, old);
  const again = whole && strategy?.repeatsMetadataErrors === true && ofMetadata.length > 0;
  const errors = [
    ...ofMetadata,
    ...(again ? validateMetadataAgain(resource, object) : []),
    ...own,
    ...(whole ? own.filter(({ field }) => isToldTwice(strategy?.repeatsErrors, field)) : []),
    ...(strategy?.validateUpdate?.(object, old, context) ?? []),
  ];
  checkRules(resource, object, old, errors, write.services.observer);
  return refusal(write, object, errors);
}

/** Whether errors at a field are told again; `told` says it of all, or names the field that it is said of. */
function isToldTwice(told: boolean | string | undefined, field: string): boolean {
  if (typeof told !== 'string') return told === true;
  return field.startsWith(told) && /^(?:[.[]|$)/.test(field.slice(told.length));
}

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
