/** PersistentVolume: its defaults and rules, the changes that it allows, and its columns. */
import { definePersistentVolumeHandlers } from '../../generated/core/v1/persistentvolumes/handlers.js';
import type { PersistentVolume } from '../../generated/core/v1/persistentvolumes/types.js';
import type {
  NodeSelectorTerm,
  PersistentVolumeSpec,
  VolumeNodeAffinity,
} from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden, invalidValue } from '../../runtime/objects/field-error.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { changedPaths } from '../shared/changed-paths.js';
import { firstErrors } from '../shared/field-checks.js';
import { roundUpAmounts } from '../shared/resource-list.js';
import { type DeprecatedLabels, deprecatedLabels, firstWarnings, nodeTermWarnings } from './nodes/labels.js';
import { accessModesText } from './volumes/access-modes.js';
import { phaseText, sizeText, volumeModeText } from './volumes/columns.js';
import { type SourceKey, sourceKeys } from './volumes/persistent-volume-sources.js';
import { checkVolumeSpec } from './volumes/persistent-volume-spec.js';
import { classOf } from './volumes/volume-class.js';

type Volume = DraftObject<PersistentVolume>;
type Spec = Draft<PersistentVolumeSpec>;

export const definePersistentVolumes = (names: Naming): KindHandlers =>
  definePersistentVolumeHandlers({
    repeatsMetadataErrors: true,
    canonicalize({ spec }) {
      if (!spec) return;
      spec.persistentVolumeReclaimPolicy ||= 'Retain';
      spec.volumeMode ??= 'Filesystem';
      roundUpAmounts(spec.capacity);
    },
    validate: (volume, { subresource }) =>
      subresource === 'status' ? [] : [...specErrors(volume, names), ...mountOptionErrors(volume, names)],
    // Errors of the spec are repeated by an update.
    validateUpdate: (volume, old, { subresource }) =>
      subresource === 'status'
        ? []
        : [...specErrors(volume, names), ...updateErrors(volume.spec ?? {}, old.spec ?? {}, names)],
    warn: (volume) => affinityWarnings(volume, names),
    columns: {
      Capacity: ({ spec }) => sizeText(spec?.capacity),
      'Access Modes': ({ spec }) => accessModesText(spec?.accessModes),
      Status: phaseText,
      Claim: claimText,
      StorageClass: (volume) => classOf(volume, names),
      VolumeMode: volumeModeText,
    },
  });

const specErrors = ({ metadata, spec = {} }: Volume, names: Naming): readonly FieldError[] =>
  firstErrors(checkVolumeSpec(spec, metadata.name ?? '', 'spec', names));

/** Sources that take mount options from an annotation, which came before the field. */
const mountable = [
  ...(['gcePersistentDisk', 'awsElasticBlockStore', 'glusterfs', 'nfs', 'rbd', 'quobyte', 'iscsi', 'cinder'] as const),
  ...(['cephfs', 'azureFile', 'vsphereVolume', 'azureDisk', 'photonPersistentDisk'] as const),
] as const satisfies readonly SourceKey[];

/** Mount options in an annotation are for sources that take them. */
function mountOptionErrors({ metadata, spec }: Volume, { rename }: Naming): readonly FieldError[] {
  const key = rename('volume.beta.platform.io/mount-options');
  if (!Object.hasOwn(metadata.annotations ?? {}, key) || mountable.some((source) => spec?.[source])) return [];
  return [forbidden(`metadata.annotations.${key}`, 'may not specify mount options for this volume type')];
}

function updateErrors(spec: Spec, old: Spec, names: Naming): readonly FieldError[] {
  return [...sourceChanges(spec, old), ...modeChanges(spec, old), ...affinityChanges(spec, old, names)];
}

/** The source stays, but the secret for growing may be added once. */
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

/** The part of a spec that says where the contents are. */
const sourceOf = (spec: Spec): Pick<Spec, SourceKey> =>
  Object.fromEntries(sourceKeys.filter((key) => spec[key]).map((key) => [key, spec[key]] as const));

/** The volume mode cannot be changed. */
function modeChanges({ volumeMode }: Spec, old: Spec): readonly FieldError[] {
  return volumeMode === old.volumeMode ? [] : [invalidValue('volumeMode', volumeMode, 'field is immutable')];
}

/** The nodes stay once they are set, but their labels may be replaced by the newer names of the same labels. */
function affinityChanges({ nodeAffinity }: Spec, old: Spec, names: Naming): readonly FieldError[] {
  if (!old.nodeAffinity || equal(nodeAffinity, old.nodeAffinity)) return [];
  if (equal(nodeAffinity, renamedAffinity(old.nodeAffinity, nodeAffinity, deprecatedLabels(names)))) return [];
  return [invalidValue('nodeAffinity', nodeAffinity, 'field is immutable')];
}

type Affinity = Draft<VolumeNodeAffinity>;
type Term = Draft<NodeSelectorTerm>;

/** The old affinity, with labels renamed where the new one has renamed them. */
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
