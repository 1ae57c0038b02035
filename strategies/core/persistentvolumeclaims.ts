/** PersistentVolumeClaim: its defaults and rules, its data source, its growth, and its columns. */
import { definePersistentVolumeClaimHandlers } from '../../generated/core/v1/persistentvolumeclaims/handlers.js';
import type { PersistentVolumeClaim } from '../../generated/core/v1/persistentvolumeclaims/types.js';
import type { DraftObject, FieldError, HandlerContext, KindHandlers } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { firstErrors } from '../shared/field-checks.js';
import { roundUpAmounts } from '../shared/resource-list.js';
import { firstWarnings } from './nodes/labels.js';
import { amountWarnings } from './pod-spec/pod-warnings.js';
import { accessModesText } from './volumes/access-modes.js';
import { checkClaimSpec } from './volumes/claim-spec.js';
import { checkClaimStatus, hasGrowthStatus } from './volumes/claim-status.js';
import { claimUpdateErrors } from './volumes/claim-update.js';
import { phaseText, sizeText, volumeModeText } from './volumes/columns.js';
import { settleDataSources } from './volumes/data-sources.js';
import { classOf } from './volumes/volume-class.js';

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
