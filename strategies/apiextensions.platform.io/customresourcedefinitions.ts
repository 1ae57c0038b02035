/** CustomResourceDefinition: which resources can be defined, and how definitions may change. */
import type { ApiObject, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { isTrueAt, objectsAt } from '../shared/reading.js';
import { approvalErrors } from './definitions/approval.js';
import { partVersions } from './definitions/common-parts.js';
import { applyDefinitionDefaults } from './definitions/defaults.js';
import { beginDeletion } from './definitions/deletion.js';
import { pruneLaterFields } from './definitions/later-fields.js';
import { nameErrors } from './definitions/names.js';
import { ratchetsOf, strictest } from './definitions/ratchets.js';
import { type Expressions, expressionsOf } from './definitions/schema/expressions.js';
import { specErrors } from './definitions/spec.js';
import { addStoredVersion, storedVersionErrors } from './definitions/stored-versions.js';

/** What the strategy is told of the server. */
export interface DefinitionSettings {
  /** Rules may use what this release has, and no more. */
  readonly emulatedVersion?: '1.27' | undefined;
}

export function defineCustomResourceDefinitionStrategy(names: Naming, settings: DefinitionSettings = {}): Strategy {
  const expressions = expressionsOf(settings.emulatedVersion);
  return {
    kind: 'apiextensions.platform.io/CustomResourceDefinition',
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
    validateCreate: (definition) => firstErrors(createErrors(definition, expressions, names)),
    validateUpdate: (definition, old, { subresource }) =>
      firstErrors(
        subresource === 'status' ? statusErrors(definition) : updateErrors(definition, old, expressions, names),
      ),
  };
}

function* createErrors(definition: ApiObject, expressions: Expressions, names: Naming): FieldErrors {
  const spec = objectAt(definition, 'spec') ?? {};
  yield* definitionNameErrors(definition.metadata.name ?? '', spec);
  yield* specErrors(spec, { ratchets: strictest, expressions });
  yield* statusErrors(definition);
  yield* storedVersionErrors(definition, partVersions(spec).versions);
  yield* approvalErrors(definition, undefined, names);
  yield* keptFieldsErrors(spec, undefined);
}

function* updateErrors(definition: ApiObject, old: ApiObject, expressions: Expressions, names: Naming): FieldErrors {
  const spec = objectAt(definition, 'spec') ?? {};
  const oldSpec = objectAt(old, 'spec') ?? {};
  yield* specErrors(spec, { ratchets: ratchetsOf(oldSpec, expressions), expressions });
  yield* immutableErrors(spec, oldSpec, isEstablished(old));
  yield* statusErrors(definition);
  yield* storedVersionErrors(definition, partVersions(spec).versions);
  yield* approvalErrors(definition, old, names);
  yield* keptFieldsErrors(spec, oldSpec);
}

/** The name says what is defined, so that nothing is defined twice. */
function* definitionNameErrors(name: string, spec: JsonObject): FieldErrors {
  const wanted = `${stringAt(objectAt(spec, 'names'), 'plural')}.${stringAt(spec, 'group')}`;
  if (name === '' || name === wanted) return;
  yield invalidValue('metadata.name', name, 'must be spec.names.plural+"."+spec.group');
}

function* statusErrors(definition: ApiObject): FieldErrors {
  yield* nameErrors(objectAt(objectAt(definition, 'status'), 'acceptedNames') ?? {}, 'status.acceptedNames');
}

/** Objects are stored under the group and plural; under the scope and kind they are once there can be objects. */
function* immutableErrors(spec: JsonObject, old: JsonObject, established: boolean): FieldErrors {
  const names = objectAt(spec, 'names');
  const oldNames = objectAt(old, 'names');
  if (established) {
    yield* changeErrors(spec, old, 'scope', 'spec');
    yield* changeErrors(names, oldNames, 'kind', 'spec.names');
  }
  yield* changeErrors(spec, old, 'group', 'spec');
  yield* changeErrors(names, oldNames, 'plural', 'spec.names');
}

function* changeErrors(
  now: JsonObject | undefined,
  old: JsonObject | undefined,
  key: string,
  path: string,
): FieldErrors {
  const value = stringAt(now, key);
  if (value !== stringAt(old, key)) yield invalidValue(`${path}.${key}`, value, 'field is immutable');
}

function isEstablished(definition: ApiObject): boolean {
  return objectsAt(objectAt(definition, 'status'), 'conditions').some(
    (condition) => stringAt(condition, 'type') === 'Established' && stringAt(condition, 'status') === 'True',
  );
}

/** Fields that no schema knows can be kept by schemas only; definitions that do it as a whole may stay. */
function* keptFieldsErrors(spec: JsonObject, old: JsonObject | undefined): FieldErrors {
  if (!isTrueAt(spec, 'preserveUnknownFields') || isTrueAt(old, 'preserveUnknownFields')) return;
  const rule =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  yield invalidValue('spec.preserveUnknownFields', true, rule);
}
