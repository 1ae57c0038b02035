/** Namespace: its state, the label with its name, and who has to finish before it may be removed. */
import type { ApiObject, FieldError, JsonObject, Strategy, StrategyContext } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { isStringArray, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { finalizerName } from '../../runtime/objects/names.js';
import type { Naming } from '../../runtime/objects/naming.js';

export function defineNamespaceStrategy(names: Naming): Strategy {
  const { metadataNameLabel, namespaceFinalizer } = names.wellKnown;
  const labelWithName = (object: ApiObject): void => setNameLabel(object, metadataNameLabel);
  return {
    kind: 'Namespace',
    repeatsMetadataErrors: true,
    canonicalize: labelWithName,
    prepareForCreate(object) {
      // Here too, since the name may have been generated since the object was decoded.
      labelWithName(object);
      object.status = { phase: 'Active' };
      object.spec = withFinalizer(objectAt(object, 'spec'), namespaceFinalizer);
    },
    prepareForUpdate: keepOtherParts,
    validate: (object, { subresource }) => finalizerErrors(object, subresource),
    validateUpdate: (object, _old, { subresource }) => (subresource === 'status' ? phaseErrors(object) : []),
    prepareForDelete(object) {
      object.status = { ...objectAt(object, 'status'), phase: 'Terminating' };
    },
    // The first delete only marks; whoever is in the list then empties the namespace.
    mayRemove: (object) => object.metadata.deletionTimestamp !== undefined && finalizers(object).length === 0,
  };
}

/** Each namespace carries its name as a label, so that selectors can choose it; whatever was sent there is lost. */
function setNameLabel({ metadata }: ApiObject, label: string): void {
  if (metadata.name) metadata.labels = { ...metadata.labels, [label]: metadata.name };
}

function withFinalizer(spec: JsonObject | undefined, finalizer: string): JsonObject {
  const given = spec?.finalizers;
  const list = isStringArray(given) ? given : [];
  return { ...spec, finalizers: list.includes(finalizer) ? list : [...list, finalizer] };
}

/** The spec is written through `finalize` only, the status through `status` only. */
function keepOtherParts(object: ApiObject, old: ApiObject, { subresource }: StrategyContext): void {
  if (subresource !== 'finalize') object.spec = old.spec;
  if (subresource !== 'status') object.status = old.status;
}

function finalizers(object: ApiObject): readonly string[] {
  const list = objectAt(object, 'spec')?.finalizers;
  return isStringArray(list) ? list : [];
}

/** A replaced list names the entry that is wrong, a new object only the list. */
function finalizerErrors(object: ApiObject, subresource: string): FieldError[] {
  return finalizers(object).flatMap((finalizer, i) => {
    const field = subresource === 'finalize' ? `spec.finalizers[${i}]` : 'spec.finalizers';
    return finalizerName(finalizer).map((problem) => invalidValue(field, finalizer, problem));
  });
}

function phaseErrors(object: ApiObject): FieldError[] {
  const phase = stringAt(objectAt(object, 'status'), 'phase');
  const deleted = object.metadata.deletionTimestamp !== undefined;
  if (phase === (deleted ? 'Terminating' : 'Active')) return [];
  const rule = deleted
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return [invalidValue('status.Phase', phase, rule)];
}
