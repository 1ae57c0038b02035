/** PersistentVolumeClaim: its defaults, its data source, its changes and growth, and its columns. */
import { definePersistentVolumeClaimHandlers } from '../../generated/core/v1/persistentvolumeclaims/handlers.js';
import type { PersistentVolumeClaim } from '../../generated/core/v1/persistentvolumeclaims/types.js';
import type { DraftObject, FieldError, HandlerContext, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden, invalidValue } from '../../runtime/objects/field-error.js';
import type { Release } from '../../runtime/objects/release.js';
import { compareQuantities, type Quantity } from '../../runtime/objects/scan/quantity.js';
import { changedPaths, firstErrors } from '../shared/field-checks.js';
import { amountsOf, roundUpAmounts } from '../shared/resources.js';
import type { Serving } from '../shared/serving.js';
import {
  accessModesText,
  type ClaimSpec,
  checkClaimSpec,
  classAnnotation,
  classOf,
  classWarnings,
  dropDeviceClaims,
  mirrorDataSources,
  phaseText,
  settleDataSources,
  sizeText,
  volumeModeText,
} from './claim-spec.js';
import { checkClaimStatus, hasGrowthStatus } from './claim-status.js';
import { firstWarnings } from './node-labels.js';
import { claimAmountWarnings } from './pod-spec/pod-warnings.js';

interface ClaimUpdateContext extends Serving {
  /** Whether a claim that failed to grow may lower its request again. */
  readonly mayShrink: boolean;
}

const nothing: Quantity = { digits: 0n, exponent: 0, notation: 'decimal' };

const checkedFields = [
  ...['spec.accessModes', 'spec.selector', 'spec.resources[storage]', 'spec.storageClassName', 'spec.volumeMode'],
  ...['spec.dataSource', 'spec.dataSourceRef'],
];

type Claim = DraftObject<PersistentVolumeClaim>;

const growthGate = 'RecoverVolumeExpansionFailure';

export const definePersistentVolumeClaims = ({ names, release }: Serving): KindHandlers =>
  definePersistentVolumeClaimHandlers({
    updateChecks: ['metadata', 'fields', 'metadata changes', 'metadata', 'fields', 'field changes'],
    errorOrder: checkedFields,
    canonicalize({ spec, status }) {
      roundUpAmounts(spec?.resources?.limits);
      roundUpAmounts(spec?.resources?.requests);
      roundUpAmounts(status?.capacity);
      roundUpAmounts(status?.allocatedResources);
    },
    prepareForCreate({ spec = {} }, { featureEnabled }) {
      dropDeviceClaims(spec);
      settleDataSources(spec, undefined, { names, featureEnabled });
    },
    prepareForUpdate({ spec = {} }, old, { subresource, featureEnabled }) {
      if (subresource !== '') return;
      dropDeviceClaims(spec);
      settleDataSources(spec, old.spec, { names, featureEnabled });
    },
    validate: (claim, { subresource }) => (subresource === 'status' ? [] : specErrors(claim)),
    validateUpdate: (claim, old, context) => updateErrors(claim, old, context, { names, release }),
    warn: (claim) => [
      ...(release.does('classAnnotationsWarned') ? classWarnings(claim, names) : []),
      ...firstWarnings(claimAmountWarnings(claim.spec?.resources, 'spec.resources')),
    ],
    columns: {
      Status: phaseText,
      // A claim has no size and no modes until it has a volume.
      Capacity: ({ spec, status }) => (spec?.volumeName ? sizeText(status?.capacity) : ''),
      'Access Modes': ({ spec, status }) => (spec?.volumeName ? accessModesText(status?.accessModes) : ''),
      StorageClass: (claim) => classOf(claim, names),
      VolumeAttributesClass: ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>',
      VolumeMode: volumeModeText,
    },
  });

/** Checks a change of the spec. Both claims have the stored status. */
function claimUpdateErrors(claim: Claim, old: Claim, context: ClaimUpdateContext): readonly FieldError[] {
  const { names, release, mayShrink } = context;
  const annotation = classAnnotation(names);
  const moved = movesToField(claim, old, annotation);
  return [
    ...(moved ? [] : annotationErrors(claim, old, annotation)),
    ...specChanges(claim, old, moved, context),
    ...sizeErrors(claim, old, mayShrink),
    ...modeErrors(claim, old),
    ...attributesErrors(claim, old, release),
  ];
}

function annotationOf({ metadata: { annotations } }: Claim, key: string): string | undefined {
  return annotations && Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}

/** Returns whether the class moves from the annotation into the field that replaced it. */
function movesToField(claim: Claim, old: Claim, key: string): boolean {
  const before = annotationOf(old, key);
  if (before === undefined || old.spec?.storageClassName !== undefined) return false;
  return claim.spec?.storageClassName === before && (annotationOf(claim, key) ?? before) === before;
}

/** The class annotation never changes. */
function annotationErrors(claim: Claim, old: Claim, key: string): readonly FieldError[] {
  const value = annotationOf(claim, key) ?? '';
  if (value === (annotationOf(old, key) ?? '')) return [];
  return [invalidValue(`metadata.annotations.${key}`, value, 'field is immutable')];
}

/** The spec never changes, except for a volume or class that a claim gets later, and its size. */
function specChanges(
  claim: Claim,
  old: Claim,
  moved: boolean,
  { names, release }: ClaimUpdateContext,
): readonly FieldError[] {
  const isBound = claim.status?.phase === 'Bound';
  const before = comparable(old.spec);
  const spec = comparable(claim.spec);
  if (!before.volumeName) before.volumeName = spec.volumeName;
  if (moved || mayName(claim, old, classAnnotation(names))) spec.storageClassName = before.storageClassName;
  if (isBound) keepSize(spec, before);
  if (isBound || !release.does('appliedClassesStay')) spec.volumeAttributesClassName = before.volumeAttributesClassName;
  if (equal(spec, before)) return [];
  const mutable = `resources.requests${release.does('attributesOfClaims') ? ' and volumeAttributesClassName' : ''}`;
  const problem = `spec is immutable after creation except ${mutable} for bound claims`;
  return [forbidden('spec', `${problem}\n${changedPaths(spec, before, 'spec')}`)];
}

/** Copies a spec so that single fields can be replaced. */
function comparable(spec: ClaimSpec | undefined): ClaimSpec {
  const copy = { ...spec };
  mirrorDataSources(copy);
  return copy;
}

/** Returns whether a claim without a class gets one now. */
function mayName({ spec }: Claim, old: Claim, key: string): boolean {
  if (spec?.storageClassName === undefined || old.spec?.storageClassName !== undefined) return false;
  const annotated = annotationOf(old, key);
  return annotated === undefined || annotated === spec.storageClassName;
}

/** Sets the size to the old one, so that it does not count as a change. */
function keepSize(spec: ClaimSpec, old: ClaimSpec): void {
  if (!spec.resources?.requests) return;
  const { storage: _new, ...others } = spec.resources.requests;
  const storage = old.resources?.requests?.storage;
  spec.resources = { ...spec.resources, requests: storage === undefined ? others : { ...others, storage } };
}

const sizeOf = ({ spec }: Claim): Quantity => amountsOf(spec?.resources?.requests).get('storage') ?? nothing;

/** The size never shrinks, or shrinks at most to the size of the volume. */
function sizeErrors(claim: Claim, old: Claim, mayShrink: boolean): readonly FieldError[] {
  const size = sizeOf(claim);
  if (compareQuantities(size, sizeOf(old)) >= 0) return [];
  const field = 'spec.resources.requests.storage';
  if (!mayShrink) return [forbidden(field, 'field can not be less than previous value')];
  const reached = amountsOf(old.status?.capacity).get('storage') ?? nothing;
  return compareQuantities(size, reached) > 0 ? [] : [forbidden(field, 'field can not be less than status.capacity')];
}

/** The volume mode never changes. */
function modeErrors({ spec }: Claim, old: Claim): readonly FieldError[] {
  const mode = spec?.volumeMode;
  return mode === old.spec?.volumeMode ? [] : [invalidValue('volumeMode', mode, 'field is immutable')];
}

/**
 * The class of attributes may change. It can never be removed; in later releases, it can be removed until a class has
 * been applied.
 */
function attributesErrors({ spec }: Claim, old: Claim, release: Release): readonly FieldError[] {
  const name = spec?.volumeAttributesClassName;
  const before = old.spec?.volumeAttributesClassName;
  if (name || name === before) return [];
  const wrong = (problem: string) => [forbidden('spec.volumeAttributesClassName', problem)];
  if (!release.does('appliedClassesStay')) {
    if (before === undefined) return [];
    return wrong(`update from non-nil value to ${name === undefined ? 'nil' : 'an empty string'} is forbidden`);
  }
  if (old.status?.currentVolumeAttributesClassName === undefined) return [];
  const to = name === undefined ? 'nil' : 'empty string';
  return wrong(`update to ${to} is forbidden when status.currentVolumeAttributesClassName is not nil`);
}

const specErrors = ({ spec = {} }: Claim): readonly FieldError[] => firstErrors(checkClaimSpec(spec, 'spec'));

/** Checks an update. */
function updateErrors(
  claim: Claim,
  old: Claim,
  { subresource, featureEnabled }: HandlerContext,
  serving: Serving,
): readonly FieldError[] {
  const grows = featureEnabled(growthGate) || hasGrowthStatus(old);
  if (subresource === 'status') return firstErrors(checkClaimStatus(claim, grows ? serving : undefined));
  return claimUpdateErrors(claim, old, { ...serving, mayShrink: grows });
}
