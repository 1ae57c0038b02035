/** PersistentVolumeClaim: its defaults and rules, its data source, its growth, and its columns. */
import { definePersistentVolumeClaimHandlers } from '../../generated/core/v1/persistentvolumeclaims/handlers.js';
import type { PersistentVolumeClaim } from '../../generated/core/v1/persistentvolumeclaims/types.js';
import type { PersistentVolumeClaimStatus } from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, FieldError, HandlerContext, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { formatQuantity, type Quantity, quantityInUnits } from '../../runtime/objects/scan/quantity.js';
import { checkOneOf, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { amountsOf, roundUpAmounts } from '../shared/resource-list.js';
import { firstWarnings } from './nodes/labels.js';
import { amountWarnings } from './pod-spec/pod-warnings.js';
import { accessModesText } from './volumes/access-modes.js';
import { checkClaimSpec } from './volumes/claim-spec.js';
import { claimUpdateErrors } from './volumes/claim-update.js';
import { phaseText, sizeText, volumeModeText } from './volumes/columns.js';
import { settleDataSources } from './volumes/data-sources.js';
import { classOf } from './volumes/volume-class.js';

const resizeStatuses = [
  '',
  'ControllerExpansionFailed',
  'ControllerExpansionInProgress',
  'NodeExpansionFailed',
  'NodeExpansionInProgress',
  'NodeExpansionPending',
];

/** Whether a claim's status says how far its volume has grown. */
const hasGrowthStatus = ({ status }: DraftObject<PersistentVolumeClaim>): boolean =>
  status?.allocatedResources !== undefined || status?.resizeStatus !== undefined;

/** Errors of a status; `grows` says whether it may report growth. */
function* checkClaimStatus({ spec, status = {} }: DraftObject<PersistentVolumeClaim>, grows: boolean): FieldErrors {
  if (!spec?.accessModes?.length) yield required('Spec.accessModes');
  for (const [name, amount] of amountsOf(status.capacity)) yield* checkPositive(amount, `status.capacity[${name}]`);
  if (grows) yield* checkGrowth(status);
}

/** Only storage grows. */
function* checkGrowth({ resizeStatus, allocatedResources }: Draft<PersistentVolumeClaimStatus>): FieldErrors {
  yield* checkOneOf(resizeStatus, 'status.resizeStatus', resizeStatuses);
  for (const [name, amount] of amountsOf(allocatedResources)) {
    if (name !== 'storage') yield notSupported('status.allocatedResources', name, ['storage']);
    else yield* checkPositive(amount, `status.allocatedResources[${name}]`);
  }
}

/** An amount is not negative. */
function* checkPositive(amount: Quantity, path: string): FieldErrors {
  if (amount.digits >= 0n) return;
  const whole = quantityInUnits(amount);
  if (whole < 0n) yield invalidValue(path, whole, 'must be a valid resource quantity');
  else yield invalidValue(path, formatQuantity(amount), 'must be greater than or equal to 0');
}

const checkedFields = [
  ...['spec.accessModes', 'spec.selector', 'spec.resources[storage]', 'spec.storageClassName', 'spec.volumeMode'],
  ...['spec.dataSource', 'spec.dataSourceRef'],
];

type Claim = DraftObject<PersistentVolumeClaim>;

const growthGate = 'RecoverVolumeExpansionFailure';

export const definePersistentVolumeClaims = (names: Naming): KindHandlers =>
  definePersistentVolumeClaimHandlers({
    repeatsMetadataErrors: true,
    errorOrder: checkedFields,
    canonicalize({ spec, status }) {
      roundUpAmounts(spec?.resources?.limits);
      roundUpAmounts(spec?.resources?.requests);
      roundUpAmounts(status?.capacity);
      roundUpAmounts(status?.allocatedResources);
    },
    prepareForCreate({ spec = {} }, { featureEnabled }) {
      settleDataSources(spec, undefined, { names, featureEnabled });
    },
    prepareForUpdate({ spec = {} }, old, { subresource, featureEnabled }) {
      if (subresource === '') settleDataSources(spec, old.spec, { names, featureEnabled });
    },
    validate: (claim, { subresource }) => (subresource === 'status' ? [] : specErrors(claim)),
    validateUpdate: (claim, old, context) => updateErrors(claim, old, context, names),
    warn: (claim) => [...sizeWarnings(claim, 'requests'), ...sizeWarnings(claim, 'limits')],
    columns: {
      Status: phaseText,
      // A claim has no size and no modes until it has a volume.
      Capacity: ({ spec, status }) => (spec?.volumeName ? sizeText(status?.capacity) : ''),
      'Access Modes': ({ spec, status }) => (spec?.volumeName ? accessModesText(status?.accessModes) : ''),
      StorageClass: (claim) => classOf(claim, names),
      VolumeMode: volumeModeText,
    },
  });

const specErrors = ({ spec = {} }: Claim): readonly FieldError[] => firstErrors(checkClaimSpec(spec, 'spec'));

/** Errors of a change; those of the spec are repeated among them. */
function updateErrors(
  claim: Claim,
  old: Claim,
  { subresource, featureEnabled }: HandlerContext,
  names: Naming,
): readonly FieldError[] {
  const grows = featureEnabled(growthGate) || hasGrowthStatus(old);
  if (subresource === 'status') return firstErrors(checkClaimStatus(claim, grows));
  return [...specErrors(claim), ...claimUpdateErrors(claim, old, { names, mayShrink: grows })];
}

function sizeWarnings({ spec }: Claim, key: 'requests' | 'limits'): readonly string[] {
  const storage = spec?.resources?.[key]?.storage;
  return storage === undefined ? [] : firstWarnings(amountWarnings({ storage }, `spec.resources.${key}`));
}
