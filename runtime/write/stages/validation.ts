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
import { Correlation, updateErrors } from '../../schema/index.js';
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

/** Checks an update. Some errors are reported more than once, because kinds of the reference check things again. */
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
  const found = [...schemaErrors(write, object, old, ratchet), ...scaleErrors(write, object)];
  const { common, alone, changes } = validateMetadataUpdate(resource, object, old);
  const lacking = whole ? lackingSpec(resource, found) : undefined;
  // Without a spec there is nothing else to check, and nothing to say twice.
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
  checkRules(resource, object, old, errors, write.services.observer, ratchet);
  // The reference visits fields in any order.
  const warnings = [...(ratchet?.warnings ?? [])].sort((a, b) => byCodePoint(a.field, b.field));
  for (const { field, text } of warnings) write.warn(`${field}: ${text}`);
  return refusal(write, object, errors);
}

/** Returns what compares an update of a custom resource with the object before; `undefined` if every value counts. */
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
  /** The errors of unchanged values, in any order. */
  readonly warnings: { readonly field: string; readonly text: string }[];
}

/** Returns the schema errors of an update. It may leave wrong values as they are. */
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
  // As in the reference, an object loses its owners if it cannot be compared with others.
  if (!isOfType && findTypeProblems(plan.root, object).length > 0) object.metadata.managedFields = undefined;
  return found;
}

/** Returns the error of a built-in kind if its required spec is gone. */
const lackingSpec = ({ module }: ServedResource, errors: readonly FieldError[]): FieldError | undefined =>
  module.decoding === 'typed'
    ? errors.find(({ reason, field }) => reason === 'FieldValueRequired' && field === 'spec')
    : undefined;

/** Returns whether a field is the one at a path, or in it. */
const isWithin = (field: string, path: string): boolean =>
  field.startsWith(path) && /^(?:[.[]|$)/.test(field.slice(path.length));

/** The request as the handlers of a kind may know it. */
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
  // As in the reference, objects that two groups share are refused in the name of the one that stores them.
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

/** Gives others their turn while a kind gets ready to check an object that holds much. */
export function prepareChecks({ write, object, old }: Attempt): void | Promise<void> {
  const steps = write.resource.handlers?.prepareChecks?.(object, old, handlerContext(write));
  return steps && inTurns(stepsOf(steps));
}

/** Warns the writer. Those who write a status are programs, which nobody would warn. */
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

// Refuses objects that one of the versions of their kind could not show: an expression of its conversion fails.

/** Asks every version that may fail. Most kinds have none, which is known at once. */
export function checkConvertible({ write, object }: Pick<Attempt, 'write' | 'object'>): Failure | undefined {
  const { resource } = write;
  return resource.stored.fallible.length === 0 ? undefined : unreadableVersion(resource, object);
}

// The rules of a schema are the last part of validation, because they rely on valid fields.

/** Adds what the rules say of an object to what is known to be wrong with it, or that they could not be asked. */
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

// Checks the fields of custom resources that their scale subresource names: it could not show them otherwise.

const none: readonly FieldError[] = [];

/** Errors of the counts and the selector. Built-in kinds have types and checks of their own for them. */
function scaleErrors(write: Write, object: ApiObject): readonly FieldError[] {
  const { module, subresources } = write.resource;
  const paths = module.decoding === 'structural' ? subresources.get('scale')?.scale : undefined;
  if (paths === undefined) return none;
  const ofStatus = scaleStatusErrors(paths, object);
  return subresourceName(write) === 'status' ? ofStatus : [...scaleSpecErrors(paths, object), ...ofStatus];
}
