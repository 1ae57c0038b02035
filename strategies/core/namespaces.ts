/** Namespace: its phase, its name label, and the finalizers that keep it until it is empty. */
import { defineNamespaceHandlers } from '../../generated/core/v1/namespaces/handlers.js';
import type { Namespace } from '../../generated/core/v1/namespaces/types.js';
import type { DraftObject, FieldError, HandlerContext, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { finalizerName } from '../../runtime/objects/names/names.js';
import type { Naming } from '../../runtime/objects/names/naming.js';

type NamespaceDraft = DraftObject<Namespace>;

export function defineNamespaces({ wellKnown }: Naming): KindHandlers {
  const { metadataNameLabel, namespaceFinalizer } = wellKnown;
  const labelWithName = (namespace: NamespaceDraft): void => setNameLabel(namespace, metadataNameLabel);
  return defineNamespaceHandlers({
    updateChecks: ['metadata', 'fields', 'metadata changes', 'field changes'],
    canonicalize(namespace) {
      labelWithName(namespace);
      if (!namespace.status?.phase) namespace.status = { ...namespace.status, phase: 'Active' };
    },
    prepareForCreate(namespace) {
      // Set again here, because the name may have been generated after decoding.
      labelWithName(namespace);
      namespace.status = { phase: 'Active' };
      const finalizers = namespace.spec?.finalizers ?? [];
      const isThere = finalizers.includes(namespaceFinalizer);
      namespace.spec = {
        ...namespace.spec,
        finalizers: isThere ? finalizers : [...finalizers, namespaceFinalizer],
      };
    },
    prepareForUpdate: keepOtherParts,
    validate: (namespace, { subresource }) => finalizerErrors(namespace, subresource),
    validateUpdate: (namespace, _old, { subresource }) => (subresource === 'status' ? phaseErrors(namespace) : []),
    prepareForDelete(namespace) {
      namespace.status = { ...namespace.status, phase: 'Terminating' };
    },
    marksFirst: 'with dependents',
    // Each finalizer of the spec stands for a controller that empties the namespace.
    mayRemove: ({ spec }) => !spec?.finalizers?.length,
  });
}

/** Each namespace has its name as a label, so that selectors can select it; another value is overwritten. */
function setNameLabel({ metadata }: NamespaceDraft, label: string): void {
  if (metadata.name) metadata.labels = { ...metadata.labels, [label]: metadata.name };
}

/** Only `finalize` writes the spec, and only `status` the status. */
function keepOtherParts(namespace: NamespaceDraft, old: NamespaceDraft, { subresource }: HandlerContext): void {
  if (subresource !== 'finalize') namespace.spec = old.spec;
  if (subresource !== 'status') namespace.status = old.status;
}

/** Finalizers are qualified names. Errors name the entry in `finalize`, and only the list in other writes. */
function finalizerErrors({ spec }: NamespaceDraft, subresource: string): readonly FieldError[] {
  return (spec?.finalizers ?? []).flatMap((finalizer, i) => {
    const field = subresource === 'finalize' ? `spec.finalizers[${i}]` : 'spec.finalizers';
    return finalizerName(finalizer).map((problem) => invalidValue(field, finalizer, problem));
  });
}

/** A namespace that is being deleted is `Terminating`, any other is `Active`. */
function phaseErrors({ metadata, status }: NamespaceDraft): readonly FieldError[] {
  const phase = status?.phase ?? '';
  const deleted = metadata.deletionTimestamp !== undefined;
  if (phase === (deleted ? 'Terminating' : 'Active')) return [];
  const rule = deleted
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return [invalidValue('status.Phase', phase, rule)];
}
