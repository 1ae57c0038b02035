/** The validation stage checks the metadata, then the schema, then the handlers of the kind, then rules. */
import { checkRules as checkRulesOf, type RuleRatchet } from '../../cel/index.js';
import type { ApiObject, Failure, FieldError, HandlerContext, Observer, UpdateCheck } from '../../contract/index.js';
import { findTypeProblems } from '../../merge/index.js';
import { inFieldOrder } from '../../objects/field-order.js';
import { finalizerAdvice } from '../../objects/names/metadata-rules.js';
import { byCodePoint } from '../../objects/printing.js';
import { invalid } from '../../objects/status.js';
import { inTurns, stepsOf } from '../../objects/turns.js';
import type { ServedResource, VersionCode } from '../../resource/served-resource.js';
import { readAs, unreadableVersion } from '../../resource/versions.js';
import { Correlation, comparing, updateErrors } from '../../schema/index.js';
import { scaleSpecErrors, scaleStatusErrors } from '../scale-fields.js';
import {
  type Attempt,
  type CreateAttempt,
  type DeleteAttempt,
  subresourceName,
  type UpdateAttempt,
  type Write,
} from '../write.js';
import { validateMetadata, validateMetadataUpdate } from './metadata.js';

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
  const ofMetadata = handlers?.metadataChecks === 'last' && own.length > 0 ? [] : validateMetadata(resource, object);
  const errors = [...ofMetadata, ...own];
  checkRules(resource, object, undefined, errors, write.services.observer);
  return refusal(write, object, errors);
}

/** The checks of an update for most kinds. */
const usualChecks: readonly UpdateCheck[] = ['metadata changes', 'fields', 'field changes'];

/** Checks an update. Reports some errors more than once, because the reference checks some things again. */
export function validateUpdate({
  write,
  object,
  old,
}: Pick<UpdateAttempt, 'write' | 'object' | 'old'>): Failure | undefined {
  const { resource } = write;
  const { functions, handlers } = resource;
  const context = handlerContext(write);
  const whole = context.subresource === '';
  const ratchet = ratchetOf(write, object, old);
  const compared = comparing.ms;
  const found = [...schemaErrors(write, object, old, ratchet), ...scaleErrors(write, object)];
  const { common, alone, changes } = validateMetadataUpdate(resource, object, old);
  const lacking = whole ? lackingSpec(resource, found) : undefined;
  // Without a spec there is nothing else to check, and no error to repeat.
  if (lacking) return refusal(write, object, [...common, ...changes, lacking]);
  const ofHandlers = handlers?.validate?.(object, context) ?? [];
  const fields = inFieldOrder(found, ofHandlers, handlers?.errorOrder);
  const fixed: FieldError[] = [];
  functions.validateUpdate?.(object, old, fixed);
  const fieldChanges = [
    ...inFieldOrder(fixed, [], handlers?.changeOrder),
    ...(handlers?.validateUpdate?.(object, old, context) ?? []),
  ];
  const by: Readonly<Record<UpdateCheck, readonly FieldError[]>> = {
    metadata: alone,
    fields,
    'metadata changes': changes,
    'field changes': fieldChanges,
  };
  const again = whole ? handlers?.checksAgain : undefined;
  const errors = [
    ...common,
    ...((whole ? handlers?.updateChecks : handlers?.subresourceChecks) ?? usualChecks).flatMap((check) => by[check]),
    ...(again === undefined ? [] : fields.filter(({ field }) => isWithin(field, again))),
  ];
  const { observer } = write.services;
  checkRules(resource, object, old, errors, observer, ratchet);
  if (ratchet) observer?.ratcheted?.((comparing.ms - compared) / 1000);
  // The reference visits fields in any order.
  const warnings = [...(ratchet?.warnings ?? [])].sort((a, b) => byCodePoint(a.field, b.field));
  for (const { field, text } of warnings) write.warn(`${field}: ${text}`);
  return refusal(write, object, errors);
}

/**
 * Returns the ratchet, which compares an update of a custom resource with the old object; `undefined` if it checks
 * every value.
 */
function ratchetOf({ resource, services }: Write, object: ApiObject, old: ApiObject): Ratchet | undefined {
  if (resource.module.decoding !== 'structural' || !services.featureEnabled('CRDValidationRatcheting')) {
    return undefined;
  }
  const isLater = services.release.does('jsonInFieldErrors');
  const warnings: Ratchet['warnings'] = [];
  return {
    correlation: new Correlation(resource.schema, object, old),
    warnings,
    warn: ({ field, message, later = message }) => warnings.push({ field, text: isLater ? later : message }),
  };
}

interface Ratchet extends RuleRatchet {
  /** The errors of unchanged values, in no order. */
  readonly warnings: { readonly field: string; readonly text: string }[];
}

/** Returns the schema errors of an update. The update may keep wrong values that it does not change. */
function schemaErrors(
  write: Write,
  object: ApiObject,
  old: ApiObject,
  ratchet: Ratchet | undefined,
): readonly FieldError[] {
  const { functions, module, plan } = write.resource;
  let isOfType = true;
  const pass = ({ reason }: FieldError): void => {
    isOfType &&= reason !== 'FieldValueTypeInvalid';
  };
  const { decoding } = module;
  const isStatus = subresourceName(write) === 'status';
  const found = updateErrors({ functions, decoding, ratchets: ratchet !== undefined, isStatus, pass }, object, old);
  // As in the reference, an object loses its owners if wrong types prevent a comparison.
  if (!isOfType && findTypeProblems(plan.root, object).length > 0) object.metadata.managedFields = undefined;
  return found;
}

/** Returns the error of a built-in kind without its required spec. */
const lackingSpec = ({ module }: ServedResource, errors: readonly FieldError[]): FieldError | undefined =>
  module.decoding === 'typed'
    ? errors.find(({ reason, field }) => reason === 'FieldValueRequired' && field === 'spec')
    : undefined;

/** Returns whether a field is at a path, or below it. */
const isWithin = (field: string, path: string): boolean =>
  field.startsWith(path) && /^(?:[.[]|$)/.test(field.slice(path.length));

/** Returns the parts of a request that the handlers of a kind may know. */
export const handlerContext = (write: Write): HandlerContext => ({
  user: write.user,
  subresource: subresourceName(write),
  now: write.now,
  featureEnabled: write.services.featureEnabled,
  warn: write.warn,
});

function refusal(write: Write, object: ApiObject, errors: readonly FieldError[]): Failure | undefined {
  if (errors.length === 0) return undefined;
  const { module, stored } = write.resource;
  // As in the reference, the refusal of an object that two groups share names the group that stores it.
  return invalid(stored.module.group, module.names.kind, object.metadata.name ?? '', errors);
}

export function prepareForCreate({ write, object }: CreateAttempt): void {
  write.resource.handlers?.prepareForCreate?.(object, handlerContext(write));
}

export function prepareForUpdate({ write, object, old }: UpdateAttempt): void {
  write.resource.handlers?.prepareForUpdate?.(object, old, handlerContext(write));
}

export function prepareForDelete(attempt: DeleteAttempt): void {
  const { write, entry } = attempt;
  attempt.object = readAs(write.resource, entry);
  write.resource.handlers?.prepareForDelete?.(attempt.object, handlerContext(write));
}

/** Lets a kind prepare its checks of a large object, with turns for other requests. */
export function prepareChecks({ write, object, old }: Attempt): void | Promise<void> {
  const steps = write.resource.handlers?.prepareChecks?.(object, old, handlerContext(write));
  return steps && inTurns(stepsOf(steps));
}

/** Sends the warnings of a kind to the writer, except for a status, because only programs write it. */
export function warn({ write, object, old }: Attempt): void {
  if (subresourceName(write) === 'status') return;
  const { resource, services } = write;
  for (const warning of resource.handlers?.warn?.(object, old) ?? []) write.warn(warning);
  if (resource.module.decoding === 'structural' && services.release.does('finalizersOfCustomResourcesAdvised')) {
    const before = old?.metadata.finalizers ?? [];
    const added = (object.metadata.finalizers ?? []).filter((name) => !before.includes(name));
    for (const advice of finalizerAdvice(added, 'metadata.finalizers')) write.warn(advice);
  }
}

// Refuses an object if a version of its kind could not show it, because an expression of the conversion fails.

/** Tries every version that may fail. Most kinds have no such versions. */
export function checkConvertible({ write, object }: Pick<Attempt, 'write' | 'object'>): Failure | undefined {
  const { resource } = write;
  return resource.stored.fallible.length === 0 ? undefined : unreadableVersion(resource, object);
}

// The rules of a schema are the last part of validation, because they rely on valid fields.

/** Adds the errors of the rules to the other errors of an object, or an error that the rules could not run. */
export function checkRules(
  { rules, showsRuleValues: showsValues, enumsBlockRules: enumsBlock }: VersionCode,
  object: ApiObject,
  old: ApiObject | undefined,
  errors: FieldError[],
  observer?: Observer,
  ratchet?: RuleRatchet,
): void {
  if (rules === undefined) return;
  const began = performance.now();
  if (checkRulesOf(rules, object, old, errors, { showsValues, enumsBlock, ratchet }))
    observer?.evaluated((performance.now() - began) / 1000);
}

// Checks the fields that the scale subresource of a custom resource names. Otherwise, the subresource could not show
// them.

const none: readonly FieldError[] = [];

/** Returns the errors of the counts and the selector. Built-in kinds check these fields themselves. */
function scaleErrors(write: Write, object: ApiObject): readonly FieldError[] {
  const { module, subresources } = write.resource;
  const paths = module.decoding === 'structural' ? subresources.get('scale')?.scale : undefined;
  if (paths === undefined) return none;
  const ofStatus = scaleStatusErrors(paths, object);
  return subresourceName(write) === 'status' ? ofStatus : [...scaleSpecErrors(paths, object), ...ofStatus];
}
