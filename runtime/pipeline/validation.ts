/** The validation stage: metadata, then the schema, then what the kind's strategy adds, then rules. */
import type { ApiObject, Failure, FieldError, StrategyContext } from '../contract/index.js';
import { invalid } from '../objects/status.js';
import { validateMetadata, validateMetadataUpdate } from './metadata-validation.js';
import { checkRules } from './rule-validation.js';
import { subresourceName, type Write } from './write.js';

/** Checks a new object. */
export function validateCreate(write: Write, object: ApiObject): Failure | undefined {
  const { resource } = write;
  const errors = validateMetadata(resource, object);
  resource.module.functions.validate(object, errors);
  const context = strategyContext(write);
  errors.push(...(resource.strategy?.validate?.(object, context) ?? []));
  errors.push(...(resource.strategy?.validateCreate?.(object, context) ?? []));
  checkRules(resource, object, undefined, errors);
  return refusal(write, object, errors);
}

/**
 * Checks an update. Metadata errors are reported twice, as the reference does: once by the update itself and once as
 * part of the kind's own rules.
 */
export function validateUpdate(write: Write, object: ApiObject, old: ApiObject): Failure | undefined {
  const { functions } = write.resource.module;
  const { strategy } = write.resource;
  const metadataErrors = validateMetadataUpdate(write.resource, object, old);
  const errors: FieldError[] = [...metadataErrors, ...metadataErrors];
  const context = strategyContext(write);
  const own: FieldError[] = [];
  functions.validate(object, own);
  functions.validateUpdate?.(object, old, own);
  own.push(...(strategy?.validate?.(object, context) ?? []));
  const twice = strategy?.tellsTwice === true && context.subresource === '';
  errors.push(...own, ...(twice ? own : []));
  errors.push(...(strategy?.validateUpdate?.(object, old, context) ?? []));
  checkRules(write.resource, object, old, errors);
  return refusal(write, object, errors);
}

/** What the hooks of a strategy may know of a write. */
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
