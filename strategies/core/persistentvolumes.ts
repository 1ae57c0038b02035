/** PersistentVolume: its defaults, its spec, its changes, and its columns. */
import { definePersistentVolumeHandlers } from '../../generated/core/v1/persistentvolumes/handlers.js';
import type { PersistentVolume } from '../../generated/core/v1/persistentvolumes/types.js';
import type {
  NodeSelectorTerm,
  PersistentVolumeSpec,
  VolumeNodeAffinity,
} from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { formatQuantity, quantityInUnits } from '../../runtime/objects/scan/quantity.js';
import { changedPaths, checkOneOf, checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { amountsOf, roundUpAmounts } from '../shared/resources.js';
import { checkNodeSelector } from '../shared/selectors.js';
import type { Serving } from '../shared/serving.js';
import {
  accessModesText,
  checkAccessModes,
  classOf,
  classWarnings,
  phaseText,
  sizeText,
  volumeModeText,
} from './claim-spec.js';
import { type DeprecatedLabels, deprecatedLabels, firstWarnings, nodeTermWarnings } from './node-labels.js';
import { checkSource, type SourceKey, sourceKeys } from './persistent-volume-sources.js';

const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];
const volumeModes = ['Block', 'Filesystem'];

const missing = 'has to be specified';

/** A spec without a volume has only what a driver needs to attach it. */
export function* checkInlineVolumeSpec(spec: Spec, path: string, names: Naming): FieldErrors {
  const context = 'in the context of inline volumes';
  const refused = (field: keyof PersistentVolumeSpec, rule = 'may not be specified') =>
    forbidden(`${path}.${field}`, `${rule} ${context}`);
  const { persistentVolumeReclaimPolicy: policy, volumeMode = 'Filesystem' } = spec;
  if (spec.claimRef) yield refused('claimRef');
  if (amountsOf(spec.capacity).size > 0) yield refused('capacity');
  if (!spec.csi) yield required(`${path}.csi`, `${missing} ${context}`);
  yield* checkModes(spec, path);
  if (policy && policy !== 'Retain') yield refused('persistentVolumeReclaimPolicy', 'may only be Retain');
  if (spec.nodeAffinity) yield refused('nodeAffinity');
  yield* checkSource(spec, '', path, names);
  yield* checkRecycling(spec, path);
  if (spec.storageClassName) yield refused('storageClassName');
  if (volumeMode !== 'Filesystem') yield refused('volumeMode', 'may not specify volumeMode other than Filesystem');
  yield* checkAttributesClass(spec, path);
}

/** A volume has at least one access mode. */
function* checkModes({ accessModes = [] }: Spec, path: string): FieldErrors {
  if (accessModes.length === 0) yield required(`${path}.accessModes`);
  yield* checkAccessModes(accessModes, `${path}.accessModes`);
}

/** A volume has a capacity of storage, and of nothing else. */
function* checkCapacity(capacity: Record<string, string> | undefined, path: string): FieldErrors {
  const amounts = amountsOf(capacity);
  if (amounts.size === 0) yield required(path);
  if (!amounts.has('storage') || amounts.size > 1) yield notSupported(path, capacity, ['storage']);
  for (const [name, amount] of amounts) {
    const at = `${path}[${name}]`;
    if (amount.digits < 0n) yield invalidValue(at, quantityInUnits(amount), 'must be a valid resource quantity');
    if (amount.digits <= 0n) yield invalidValue(at, formatQuantity(amount), 'must be greater than zero');
  }
}

/** A node affinity must have required terms. */
function* checkAffinity(affinity: Draft<VolumeNodeAffinity>, path: string): FieldErrors {
  if (affinity.required) yield* checkNodeSelector(affinity.required, `${path}.required`);
  else yield required(`${path}.required`, 'must specify required node constraints');
}

/** Recycling deletes the files of a volume, which must not be the whole node. */
function* checkRecycling({ persistentVolumeReclaimPolicy, hostPath }: Spec, path: string): FieldErrors {
  if (persistentVolumeReclaimPolicy !== 'Recycle' || !isRoot(hostPath?.path ?? '')) return;
  yield forbidden(`${path}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'");
}

/** Returns whether a path leads to the root, in any number of steps. */
function isRoot(path: string): boolean {
  if (!path.startsWith('/')) return false;
  let depth = 0;
  for (const step of path.split('/')) {
    if (step === '..') depth = Math.max(0, depth - 1);
    else if (step !== '' && step !== '.') depth++;
  }
  return depth === 0;
}

type Volume = DraftObject<PersistentVolume>;
type Spec = Draft<PersistentVolumeSpec>;

export const definePersistentVolumes = ({ names, release }: Serving): KindHandlers =>
  definePersistentVolumeHandlers({
    updateChecks: ['metadata', 'fields', 'metadata', 'field changes'],
    canonicalize({ spec }) {
      if (!spec) return;
      spec.persistentVolumeReclaimPolicy ||= 'Retain';
      spec.volumeMode ??= 'Filesystem';
      roundUpAmounts(spec.capacity);
    },
    validate: (volume, { subresource }) =>
      subresource === 'status' ? [] : [...specErrors(volume, names), ...mountOptionErrors(volume, names)],
    // An update repeats the errors of the spec.
    validateUpdate: (volume, old, { subresource }) =>
      subresource === 'status'
        ? []
        : [...specErrors(volume, names), ...updateErrors(volume.spec ?? {}, old.spec ?? {}, names)],
    warn: (volume) => [
      ...affinityWarnings(volume, names),
      ...(release.does('classAnnotationsWarned') ? deprecationWarnings(volume, names) : []),
    ],
    columns: {
      Capacity: ({ spec }) => sizeText(spec?.capacity),
      'Access Modes': ({ spec }) => accessModesText(spec?.accessModes),
      Status: phaseText,
      Claim: claimText,
      StorageClass: (volume) => classOf(volume, names),
      VolumeAttributesClass: ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>',
      VolumeMode: volumeModeText,
    },
  });

/** Checks the spec of a volume. */
function* checkVolumeSpec(spec: Spec, volumeName: string, path: string, names: Naming): FieldErrors {
  const { persistentVolumeReclaimPolicy: policy, nodeAffinity, storageClassName, volumeMode } = spec;
  yield* checkModes(spec, path);
  yield* checkCapacity(spec.capacity, `${path}.capacity`);
  if (policy) yield* checkOneOf(policy, `${path}.persistentVolumeReclaimPolicy`, reclaimPolicies);
  if (nodeAffinity) yield* checkAffinity(nodeAffinity, `${path}.nodeAffinity`);
  yield* checkSource(spec, volumeName, path, names);
  yield* checkRecycling(spec, path);
  if (storageClassName) yield* checkText(`${path}.storageClassName`, storageClassName, dns1123Subdomain);
  yield* checkOneOf(volumeMode, `${path}.volumeMode`, volumeModes);
  yield* checkAttributesClass(spec, path);
}

/** Only volumes of a driver have attributes that a class can change. */
function* checkAttributesClass({ volumeAttributesClassName: name, csi }: Spec, path: string): FieldErrors {
  if (name === undefined) return;
  const field = `${path}.volumeAttributesClassName`;
  if (name === '') yield required(field, 'an empty string is disallowed');
  else yield* checkText(field, name, dns1123Subdomain);
  if (!csi) yield required(`${path}.csi`, `${missing} when using volumeAttributesClassName`);
}

const specErrors = ({ metadata, spec = {} }: Volume, names: Naming): readonly FieldError[] =>
  firstErrors(checkVolumeSpec(spec, metadata.name ?? '', 'spec', names));

/** Sources with mount options in an annotation, which is older than the field. */
const mountable = [
  ...(['gcePersistentDisk', 'awsElasticBlockStore', 'glusterfs', 'nfs', 'rbd', 'quobyte', 'iscsi', 'cinder'] as const),
  ...(['cephfs', 'azureFile', 'vsphereVolume', 'azureDisk', 'photonPersistentDisk'] as const),
] as const satisfies readonly SourceKey[];

/** Only some sources take mount options from an annotation. */
function mountOptionErrors({ metadata, spec }: Volume, { rename }: Naming): readonly FieldError[] {
  const key = rename('volume.beta.platform.io/mount-options');
  if (!Object.hasOwn(metadata.annotations ?? {}, key) || mountable.some((source) => spec?.[source])) return [];
  return [forbidden(`metadata.annotations.${key}`, 'may not specify mount options for this volume type')];
}

function updateErrors(spec: Spec, old: Spec, names: Naming): readonly FieldError[] {
  return [
    ...sourceChanges(spec, old),
    ...modeChanges(spec, old),
    ...affinityChanges(spec, old, names),
    ...attributesChanges(spec, old),
  ];
}

/** The source never changes, but a secret for expansion may be added once. */
function sourceChanges(spec: Spec, old: Spec): readonly FieldError[] {
  const [source, before] = [sourceOf(spec), sourceOf(old)];
  if (source.csi && before.csi && !before.csi.controllerExpandSecretRef) {
    const { controllerExpandSecretRef: _added, ...rest } = source.csi;
    source.csi = rest;
  }
  if (equal(source, before)) return [];
  const problem = 'spec.persistentvolumesource is immutable after creation';
  return [forbidden('spec.persistentvolumesource', `${problem}\n${changedPaths(source, before, 'spec')}`)];
}

/** Returns the source of a spec. */
const sourceOf = (spec: Spec): Pick<Spec, SourceKey> =>
  Object.fromEntries(sourceKeys.filter((key) => spec[key]).map((key) => [key, spec[key]] as const));

/** The volume mode never changes. */
function modeChanges({ volumeMode }: Spec, old: Spec): readonly FieldError[] {
  return volumeMode === old.volumeMode ? [] : [invalidValue('volumeMode', volumeMode, 'field is immutable')];
}

/** The class of attributes may change, but cannot be removed. */
function attributesChanges({ volumeAttributesClassName: name }: Spec, old: Spec): readonly FieldError[] {
  if (name !== undefined || old.volumeAttributesClassName === undefined) return [];
  return [forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden')];
}

/** The node affinity never changes once it is set, but its labels may be replaced by their newer names. */
function affinityChanges({ nodeAffinity }: Spec, old: Spec, names: Naming): readonly FieldError[] {
  if (!old.nodeAffinity || equal(nodeAffinity, old.nodeAffinity)) return [];
  if (equal(nodeAffinity, renamedAffinity(old.nodeAffinity, nodeAffinity, deprecatedLabels(names)))) return [];
  return [invalidValue('nodeAffinity', nodeAffinity, 'field is immutable')];
}

type Affinity = Draft<VolumeNodeAffinity>;
type Term = Draft<NodeSelectorTerm>;

/** Returns the old affinity, with labels renamed as the new affinity renames them. */
function renamedAffinity(old: Affinity, affinity: Affinity | undefined, labels: DeprecatedLabels): Affinity {
  if (!old.required) return old;
  const terms = affinity?.required?.nodeSelectorTerms;
  const nodeSelectorTerms = old.required.nodeSelectorTerms?.map((term, i) => renamedTerm(term, terms?.[i], labels));
  return { ...old, required: { ...old.required, nodeSelectorTerms: nodeSelectorTerms ?? [] } };
}

function renamedTerm(old: Term, term: Term | undefined, labels: DeprecatedLabels): Term {
  if (!old.matchExpressions) return old;
  const matchExpressions = old.matchExpressions.map((condition, i) => {
    const [, instead] = labels.get(condition.key ?? '') ?? [];
    const isRenamed = instead !== undefined && instead === term?.matchExpressions?.[i]?.key;
    return isRenamed ? { ...condition, key: instead } : condition;
  });
  return { ...old, matchExpressions };
}

function affinityWarnings({ spec }: Volume, names: Naming): readonly string[] {
  const labels = deprecatedLabels(names);
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const at = 'spec.nodeAffinity.required.nodeSelectorTerms';
  return terms.flatMap((term, i) => firstWarnings(nodeTermWarnings(term, `${at}[${i}]`, labels)));
}

function claimText({ spec }: Volume): string {
  const claim = spec?.claimRef;
  return claim ? `${claim.namespace ?? ''}/${claim.name ?? ''}` : '';
}

const ceph = ['cephfs', 'rbd'] as const;

/** Warns about deprecated fields and sources. */
function deprecationWarnings(volume: DraftObject<PersistentVolume>, names: Naming): readonly string[] {
  const { spec = {}, metadata } = volume;
  const mountOptions = names.rename('volume.beta.platform.io/mount-options');
  const policy = 'The Recycle reclaim policy is deprecated';
  const cure = 'Instead, the recommended approach is ' + 'to use dynamic provisioning.';
  return [
    ...classWarnings(volume, names),
    ...(Object.hasOwn(metadata.annotations ?? {}, mountOptions)
      ? [`metadata.annotations[${mountOptions}]: deprecated since v1.31; use "mountOptions" attribute instead`]
      : []),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle'
      ? [`spec.persistentVolumeReclaimPolicy: ${policy}. ${cure}`]
      : []),
    ...ceph.flatMap((source) =>
      spec[source] ? [`spec.${source}: deprecated in v1.28, non-functional in v1.31+`] : [],
    ),
  ];
}
