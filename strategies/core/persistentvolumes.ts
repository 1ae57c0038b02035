/** PersistentVolume: its defaults and rules, what may change once it is there, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden, invalidValue } from '../../runtime/objects/field-error.js';
import { isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { changedPaths } from '../shared/changed-paths.js';
import { firstErrors } from '../shared/field-checks.js';
import { hasAt, listAt, objectsAt } from '../shared/reading.js';
import { roundUpAmounts } from '../shared/resource-list.js';
import { deprecatedLabels, firstWarnings, nodeTermWarnings } from './nodes/labels.js';
import { accessModesText } from './volumes/access-modes.js';
import { phaseText, sizeText, volumeModeText } from './volumes/columns.js';
import { sourceKeys } from './volumes/persistent-volume-sources.js';
import { checkVolumeSpec } from './volumes/persistent-volume-spec.js';
import { classOf } from './volumes/volume-class.js';

export function definePersistentVolumeStrategy(names: Naming): Strategy {
  const validate = (volume: ApiObject): readonly FieldError[] => [
    ...firstErrors(checkVolumeSpec(specOf(volume), volume.metadata.name ?? '', 'spec', names)),
    ...mountOptionErrors(volume, names),
  ];
  return {
    kind: 'PersistentVolume',
    repeatsMetadataErrors: true,
    canonicalize(volume) {
      const spec = objectAt(volume, 'spec');
      if (!spec) return;
      if (stringAt(spec, 'persistentVolumeReclaimPolicy') === '') spec.persistentVolumeReclaimPolicy = 'Retain';
      if (!hasAt(spec, 'volumeMode')) spec.volumeMode = 'Filesystem';
      roundUpAmounts(objectAt(spec, 'capacity'));
    },
    validate: (volume, { subresource }) => (subresource === 'status' ? [] : validate(volume)),
    validateUpdate: (volume, old, { subresource }) =>
      subresource === 'status'
        ? []
        : [...specErrors(volume, names), ...updateErrors(specOf(volume), specOf(old), names)],
    warnings: (volume) => affinityWarnings(specOf(volume), names),
    cell: (volume, column) => cells.get(column)?.(volume, names),
  };
}

const specOf = (volume: ApiObject): JsonObject => objectAt(volume, 'spec') ?? {};

/** Sources that take mount options from an annotation, which came before the field. */
const mountable = [
  ...['gcePersistentDisk', 'awsElasticBlockStore', 'glusterfs', 'nfs', 'rbd', 'quobyte', 'iscsi', 'cinder', 'cephfs'],
  ...['azureFile', 'vsphereVolume', 'azureDisk', 'photonPersistentDisk'],
] as const;

function mountOptionErrors(volume: ApiObject, { rename }: Naming): readonly FieldError[] {
  const key = rename('volume.beta.platform.io/mount-options');
  const annotations = volume.metadata.annotations ?? {};
  if (!Object.hasOwn(annotations, key) || mountable.some((source) => hasAt(specOf(volume), source))) return [];
  return [forbidden(`metadata.annotations.${key}`, 'may not specify mount options for this volume type')];
}

/** Errors of the spec, which an update reports once more. */
function specErrors(volume: ApiObject, names: Naming): readonly FieldError[] {
  return firstErrors(checkVolumeSpec(specOf(volume), volume.metadata.name ?? '', 'spec', names));
}

function updateErrors(spec: JsonObject, old: JsonObject, names: Naming): readonly FieldError[] {
  return [...sourceChanges(spec, old), ...modeChanges(spec, old), ...affinityChanges(spec, old, names)];
}

function sourceChanges(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  const [source, before] = [sourceOf(spec), sourceOf(old)];
  const [driver, driverBefore] = [objectAt(source, 'csi'), objectAt(before, 'csi')];
  // The secret for growing may be added once.
  if (driver && driverBefore && !hasAt(driverBefore, 'controllerExpandSecretRef')) {
    const { controllerExpandSecretRef: _added, ...rest } = driver;
    source.csi = rest;
  }
  if (equal(source, before)) return [];
  const problem = 'spec.persistentvolumesource is immutable after creation';
  return [forbidden('spec.persistentvolumesource', `${problem}\n${changedPaths(source, before, 'spec')}`)];
}

function sourceOf(spec: JsonObject): JsonObject {
  return Object.fromEntries(sourceKeys.filter((key) => hasAt(spec, key)).map((key) => [key, spec[key]]));
}

function modeChanges(spec: JsonObject, old: JsonObject): readonly FieldError[] {
  if (equal(spec.volumeMode, old.volumeMode)) return [];
  return [invalidValue('volumeMode', spec.volumeMode, 'field is immutable')];
}

/** Nodes may be told once, and then only by the newer names of the same labels. */
function affinityChanges(spec: JsonObject, old: JsonObject, names: Naming): readonly FieldError[] {
  if (!hasAt(old, 'nodeAffinity') || equal(spec.nodeAffinity, old.nodeAffinity)) return [];
  const affinity = objectAt(spec, 'nodeAffinity');
  const renamed = renamedAffinity(objectAt(old, 'nodeAffinity'), affinity, names);
  if (equal(affinity, renamed)) return [];
  return [invalidValue('nodeAffinity', spec.nodeAffinity, 'field is immutable')];
}

/** The old nodes in the labels that the new ones use for them. */
function renamedAffinity(
  old: JsonObject | undefined,
  affinity: JsonObject | undefined,
  names: Naming,
): JsonObject | undefined {
  const selector = objectAt(old, 'required');
  if (!selector) return old;
  const labels = deprecatedLabels(names);
  const terms = objectsAt(objectAt(affinity, 'required'), 'nodeSelectorTerms');
  const nodeSelectorTerms = objectsAt(selector, 'nodeSelectorTerms').map((term, i) => {
    const conditions = listAt(terms[i], 'matchExpressions');
    const matchExpressions = listAt(term, 'matchExpressions').map((condition, j) => {
      const now = conditions[j];
      if (!isObject(condition) || !isObject(now)) return condition;
      const [, instead] = labels.get(stringAt(condition, 'key')) ?? [];
      return instead !== undefined && instead === stringAt(now, 'key') ? { ...condition, key: instead } : condition;
    });
    return hasAt(term, 'matchExpressions') ? { ...term, matchExpressions } : term;
  });
  return { ...old, required: { ...selector, nodeSelectorTerms } };
}

function affinityWarnings(spec: JsonObject, names: Naming): readonly string[] {
  const labels = deprecatedLabels(names);
  const terms = objectsAt(objectAt(objectAt(spec, 'nodeAffinity'), 'required'), 'nodeSelectorTerms');
  const at = 'spec.nodeAffinity.required.nodeSelectorTerms';
  return terms.flatMap((term, i) => firstWarnings(nodeTermWarnings(term, `${at}[${i}]`, labels)));
}

function claimText(volume: ApiObject): string {
  const claim = objectAt(specOf(volume), 'claimRef');
  return claim ? `${stringAt(claim, 'namespace')}/${stringAt(claim, 'name')}` : '';
}

type Cell = (volume: ApiObject, names: Naming) => string;

const cells: ReadonlyMap<string, Cell> = new Map<string, Cell>([
  ['Capacity', (volume) => sizeText(specOf(volume))],
  ['Access Modes', (volume) => accessModesText(specOf(volume))],
  ['Status', phaseText],
  ['Claim', claimText],
  ['StorageClass', classOf],
  ['VolumeMode', volumeModeText],
]);
