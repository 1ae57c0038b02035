/** CustomResourceDefinition: what a definition may say, and how it may change. */
import { defineCustomResourceDefinitionHandlers } from '../../generated/apiextensions.platform.io/v1/customresourcedefinitions/handlers.js';
import type { FieldError, HandlerContext, KindHandlers } from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import {
  approvalAnnotation,
  approvalIn,
  isProtectedGroup,
  setCondition,
} from '../../runtime/objects/definition-conditions.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { finish } from '../../runtime/objects/turns.js';
import { type FieldErrors, firstErrorsPaced, type PacedErrors } from '../shared/field-checks.js';
import { type Definition, type Names, partVersions, type Spec } from './definition-versions.js';
import { type Expressions, expressionsOf, keepRules } from './definitions/expressions.js';
import { ratchetsOf, strictest } from './definitions/ratchets.js';
import { nameErrors, specErrors } from './definitions/spec.js';
import { addStoredVersion, storageVersion, storedVersionErrors } from './definitions/stored-versions.js';
import { formatWarnings } from './definitions/unknown-formats.js';

export function defineCustomResourceDefinitions(names: Naming, release: Release = emulate()): KindHandlers {
  const expressions = expressionsOf(release);
  const errorsOf = (definition: Definition, old: Definition | undefined, { subresource }: HandlerContext) => {
    if (old === undefined) return createErrors(definition, expressions, names);
    return subresource === 'status' ? statusErrors(definition) : updateErrors(definition, old, expressions, names);
  };
  const check = (...args: Parameters<typeof errorsOf>) => finish(firstErrorsPaced(errorsOf(...args)));
  /** Errors that were found before a definition is validated. */
  const found = new WeakMap<object, readonly FieldError[]>();
  return defineCustomResourceDefinitionHandlers({
    metadataChecks: 'any finalizers',
    canonicalize: applyDefinitionDefaults,
    prepareForCreate: (definition) => {
      definition.status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null };
      addStoredVersion(definition);
    },
    prepareForUpdate: (definition, _old, { subresource }) => {
      if (subresource === '') addStoredVersion(definition);
    },
    prepareForDelete: (definition, { now }) => beginDeletion(definition, names, now),
    marksFirst: 'alone',
    *prepareChecks(definition, old, context) {
      found.set(definition, yield* firstErrorsPaced(errorsOf(definition, old, context)));
    },
    validateCreate: (definition, context) => found.get(definition) ?? check(definition, undefined, context),
    validateUpdate: (definition, old, context) => found.get(definition) ?? check(definition, old, context),
    ...(release.does('unknownFormatsAdvised') && {
      warn: (definition, old) => formatWarnings(definition.spec, old?.spec, expressions.formats),
    }),
  });
}

function* createErrors(definition: Definition, expressions: Expressions, names: Naming): PacedErrors {
  const { spec = {} } = definition;
  yield* definitionNameErrors(definition.metadata.name ?? '', spec);
  yield* specErrors(spec, { ratchets: strictest, expressions });
  yield* statusErrors(definition);
  yield* storedVersionErrors(definition, partVersions(spec.versions ?? []).versions);
  yield* approvalErrors(definition, undefined, names);
  yield* keptFieldsErrors(spec, undefined);
}

function* updateErrors(definition: Definition, old: Definition, expressions: Expressions, names: Naming): PacedErrors {
  const { spec = {} } = definition;
  const { spec: oldSpec = {} } = old;
  // A schema that has not changed was checked when it was written.
  if (!equal(spec, oldSpec)) {
    yield;
    const ratchets = ratchetsOf(oldSpec, expressions);
    yield;
    yield* specErrors(spec, { ratchets, expressions: keepRules(expressions, oldSpec) });
  }
  yield* immutableErrors(spec, oldSpec, isEstablished(old));
  yield* statusErrors(definition);
  yield* storedVersionErrors(definition, partVersions(spec.versions ?? []).versions);
  yield* approvalErrors(definition, old, names);
  yield* keptFieldsErrors(spec, oldSpec);
}

/** The name consists of the plural and the group, so that each resource is defined once. */
function* definitionNameErrors(name: string, { names = {}, group = '' }: Spec): FieldErrors {
  const wanted = `${names.plural ?? ''}.${group}`;
  if (name === '' || name === wanted) return;
  yield invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group');
}

function* statusErrors(definition: Definition): FieldErrors {
  yield* nameErrors(definition.status?.acceptedNames ?? {}, 'status.acceptedNames');
}

/**
 * Objects are stored under group and plural, which must not change. Scope and kind must not change once the definition
 * is established.
 */
function* immutableErrors(spec: Spec, old: Spec, established: boolean): FieldErrors {
  const names: Names = spec.names ?? {};
  const oldNames: Names = old.names ?? {};
  if (established) {
    yield* changeErrors(spec.scope, old.scope, 'spec.scope');
    yield* changeErrors(names.kind, oldNames.kind, 'spec.names.kind');
  }
  yield* changeErrors(spec.group, old.group, 'spec.group');
  yield* changeErrors(names.plural, oldNames.plural, 'spec.names.plural');
}

function* changeErrors(value = '', old = '', path: string): FieldErrors {
  if (value !== old) yield invalidValue(path, value, 'field is immutable');
}

const isEstablished = ({ status }: Definition): boolean =>
  status?.conditions?.some((condition) => condition.type === 'Established' && condition.status === 'True') ?? false;

/** Only schemas can preserve unknown fields. A stored definition with `preserveUnknownFields` may keep it. */
function* keptFieldsErrors(spec: Spec, old: Spec | undefined): FieldErrors {
  if (!spec.preserveUnknownFields || old?.preserveUnknownFields) return;
  const rule =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  yield invalidValue('spec.preserveUnknownFields', true, rule);
}

/** Checks the approval annotation. An update may keep the same mistake. */
function* approvalErrors(definition: Definition, old: Definition | undefined, names: Naming): FieldErrors {
  if (!isProtectedGroup(definition.spec?.group ?? '', names)) return;
  const { annotations } = definition.metadata;
  const { state, message } = approvalIn(annotations, names);
  if (old !== undefined && approvalIn(old.metadata.annotations, names).state === state) return;
  const key = approvalAnnotation(names);
  const path = `metadata.annotations[${key}]`;
  if (state === 'missing') yield required(path, message);
  else if (state === 'invalid') yield invalidValue(path, annotations?.[key], message);
}

/** Fills in names, conversion and stored versions. */
function applyDefinitionDefaults({ spec, status }: Definition): void {
  if (spec !== undefined) spec.conversion ??= { strategy: 'None' };
  if (spec?.names !== undefined) nameDefaults(spec.names);
  const version = storageVersion(spec);
  if (status === undefined || version === undefined || status.storedVersions?.length) return;
  status.storedVersions = [version];
}

function nameDefaults(names: Names): void {
  const { kind } = names;
  if (!kind) return;
  names.singular ||= kind.toLowerCase();
  names.listKind ||= `${kind}List`;
}

/** Adds the finalizer that keeps the definition until its objects are gone, and a condition about it; in place. */
function beginDeletion(definition: Definition, naming: Naming, now: string): void {
  const { metadata } = definition;
  const finalizer = naming.rename('customresourcecleanup.apiextensions.platform.io');
  if (metadata.deletionTimestamp !== undefined) return;
  const others = (metadata.finalizers ?? []).filter((each) => each !== finalizer);
  metadata.finalizers = [...others, finalizer];
  const status = clone(definition.status ?? {});
  setCondition(status, pending, now);
  definition.status = status;
}

const pending = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
} as const;
