/** CustomResourceDefinition: the resources that can be defined, and the changes that definitions allow. */
import { defineCustomResourceDefinitionHandlers } from '../../generated/apiextensions.platform.io/v1/customresourcedefinitions/handlers.js';
import type { FieldError, HandlerContext, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { finish } from '../../runtime/objects/turns.js';
import { type FieldErrors, firstErrorsPaced, type PacedErrors } from '../shared/field-checks.js';
import { approvalErrors } from './definitions/approval.js';
import { partVersions } from './definitions/common-parts.js';
import { applyDefinitionDefaults } from './definitions/defaults.js';
import type { Definition, Names, Spec } from './definitions/definition.js';
import { beginDeletion } from './definitions/deletion.js';
import { pruneLaterFields } from './definitions/later-fields.js';
import { nameErrors } from './definitions/names.js';
import { ratchetsOf, strictest } from './definitions/ratchets.js';
import { type Expressions, expressionsOf } from './definitions/schema/expressions.js';
import { specErrors } from './definitions/spec.js';
import { addStoredVersion, storedVersionErrors } from './definitions/stored-versions.js';

/** Settings of the server that the strategy depends on. */
export interface DefinitionSettings {
  /** Rules may use what this release has, and no more. */
  readonly emulatedVersion?: '1.27' | undefined;
}

export function defineCustomResourceDefinitions(names: Naming, settings: DefinitionSettings = {}): KindHandlers {
  const expressions = expressionsOf(settings.emulatedVersion);
  const errorsOf = (definition: Definition, old: Definition | undefined, { subresource }: HandlerContext) => {
    if (old === undefined) return createErrors(definition, expressions, names);
    return subresource === 'status' ? statusErrors(definition) : updateErrors(definition, old, expressions, names);
  };
  const check = (...args: Parameters<typeof errorsOf>) => finish(firstErrorsPaced(errorsOf(...args)));
  /** The errors that were found before a definition is validated. */
  const found = new WeakMap<object, readonly FieldError[]>();
  return defineCustomResourceDefinitionHandlers({
    ...(settings.emulatedVersion === '1.27' ? { pruneLater: pruneLaterFields } : {}),
    canonicalize: applyDefinitionDefaults,
    prepareForCreate: (definition) => {
      definition.status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null };
      addStoredVersion(definition);
    },
    prepareForUpdate: (definition, _old, { subresource }) => {
      if (subresource === '') addStoredVersion(definition);
    },
    prepareForDelete: (definition, { now }) => beginDeletion(definition, names, now),
    storePreconditions: true,
    *prepareChecks(definition, old, context) {
      found.set(definition, yield* firstErrorsPaced(errorsOf(definition, old, context)));
    },
    validateCreate: (definition, context) => found.get(definition) ?? check(definition, undefined, context),
    validateUpdate: (definition, old, context) => found.get(definition) ?? check(definition, old, context),
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
    yield* specErrors(spec, { ratchets, expressions });
  }
  yield* immutableErrors(spec, oldSpec, isEstablished(old));
  yield* statusErrors(definition);
  yield* storedVersionErrors(definition, partVersions(spec.versions ?? []).versions);
  yield* approvalErrors(definition, old, names);
  yield* keptFieldsErrors(spec, oldSpec);
}

/** The name consists of the plural and the group, so that no resource is defined twice. */
function* definitionNameErrors(name: string, { names = {}, group = '' }: Spec): FieldErrors {
  const wanted = `${names.plural ?? ''}.${group}`;
  if (name === '' || name === wanted) return;
  yield invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group');
}

function* statusErrors(definition: Definition): FieldErrors {
  yield* nameErrors(definition.status?.acceptedNames ?? {}, 'status.acceptedNames');
}

/** Objects are stored under the group and plural, and once the definition is established by scope and kind as well. */
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

/** Only schemas can preserve unknown fields; a definition that already does it as a whole may go on. */
function* keptFieldsErrors(spec: Spec, old: Spec | undefined): FieldErrors {
  if (!spec.preserveUnknownFields || old?.preserveUnknownFields) return;
  const rule =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  yield invalidValue('spec.preserveUnknownFields', true, rule);
}
