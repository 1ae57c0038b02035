/** PersistentVolume: defaults, its contents, what cannot be changed, and how tables show it. */
import type { ApiObject, JsonObject, Strategy } from '../runtime/contract/index.js';
import { equal } from '../runtime/objects/equality.js';
import { forbidden, invalidValue } from '../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../runtime/objects/guards.js';
import type { Naming } from '../runtime/objects/naming.js';
import { accessModeText } from './parts/access-modes.js';
import { type FieldErrors, firstErrors, hasAt, textsAt } from './parts/field-checks.js';
import { checkVolumeSpec, sourceKinds } from './parts/volume-spec.js';

export function definePersistentVolumeStrategy(names: Naming): Strategy {
  const classAnnotation = names.rename('volume.beta.platform.io/storage-class');
  return {
    kind: 'PersistentVolume',
    canonicalize: setDefaults,
    validate: (volume, { subresource }) =>
      subresource === 'status' ? [] : firstErrors(checkVolumeSpec(specOf(volume), 'spec', names)),
    validateUpdate: (volume, old) => firstErrors(checkChange(specOf(volume), specOf(old))),
    cell: (volume, column) =>
      column === 'StorageClass'
        ? (volume.metadata.annotations?.[classAnnotation] ?? stringAt(specOf(volume), 'storageClassName'))
        : cells.get(column)?.(volume),
  };
}

const specOf = (volume: ApiObject): JsonObject => objectAt(volume, 'spec') ?? {};

function setDefaults(volume: ApiObject): void {
  const spec = objectAt(volume, 'spec');
  if (!spec) return;
  spec.persistentVolumeReclaimPolicy ??= 'Retain';
  spec.volumeMode ??= 'Filesystem';
}

function* checkChange(spec: JsonObject, old: JsonObject): FieldErrors {
  const now = withoutNewSecret(spec, old);
  if (sourceKinds.some((kind) => !equal(now[kind], old[kind]))) {
    const rule = 'spec.persistentvolumesource is immutable after creation';
    yield forbidden('spec.persistentvolumesource', rule);
  }
  if (spec.volumeMode !== old.volumeMode) yield invalidValue('volumeMode', spec.volumeMode, 'field is immutable');
  if (hasAt(old, 'nodeAffinity') && !equal(spec.nodeAffinity, old.nodeAffinity)) {
    yield invalidValue('spec.nodeAffinity', spec.nodeAffinity, 'field is immutable');
  }
}

/** The secret with which a volume grows may be added to a volume that has none. */
function withoutNewSecret(spec: JsonObject, old: JsonObject): JsonObject {
  const [driver, before] = [objectAt(spec, 'csi'), objectAt(old, 'csi')];
  if (!driver || !before || hasAt(before, 'controllerExpandSecretRef')) return spec;
  const { controllerExpandSecretRef: _added, ...rest } = driver;
  return { ...spec, csi: rest };
}

const cells: ReadonlyMap<string, (volume: ApiObject) => string> = new Map([
  ['Capacity', (volume: ApiObject) => stringAt(objectAt(specOf(volume), 'capacity'), 'storage') || '0'],
  ['Access Modes', (volume: ApiObject) => accessModeText(textsAt(specOf(volume), 'accessModes'))],
  ['Status', phaseText],
  ['Claim', claimText],
  ['VolumeMode', (volume: ApiObject) => stringAt(specOf(volume), 'volumeMode') || '<unset>'],
]);

function phaseText(volume: ApiObject): string {
  return volume.metadata.deletionTimestamp === undefined
    ? stringAt(objectAt(volume, 'status'), 'phase')
    : 'Terminating';
}

function claimText(volume: ApiObject): string {
  const claim = objectAt(specOf(volume), 'claimRef');
  return claim ? `${stringAt(claim, 'namespace')}/${stringAt(claim, 'name')}` : '';
}
