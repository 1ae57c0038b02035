/** PersistentVolumeClaim: its defaults and rules, its data source, its growth, and its columns. */
import type { PersistentVolumeClaim } from '../../generated/core/v1/persistentvolumeclaims/types.js';
import type { PersistentVolumeClaimStatus } from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, FieldError, Strategy, StrategyContext } from '../../runtime/contract/index.js';
import { defineStrategy } from '../../runtime/objects/define-strategy.js';
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

export const definePersistentVolumeClaimStrategy = (names: Naming): Strategy =>
  defineStrategy<PersistentVolumeClaim>('PersistentVolumeClaim', {
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
    warnings: (claim) => [...sizeWarnings(claim, 'requests'), ...sizeWarnings(claim, 'limits')],
    cell: (claim, column) => cells.get(column)?.(claim, names),
  });

const specErrors = ({ spec = {} }: Claim): readonly FieldError[] => firstErrors(checkClaimSpec(spec, 'spec'));

/** Errors of a change; those of the spec are repeated among them. */
function updateErrors(
  claim: Claim,
  old: Claim,
  { subresource, featureEnabled }: StrategyContext,
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

type Cell = (claim: Claim, names: Naming) => string;

/** A cell that is empty until the claim has a volume. */
const whenBound =
  (text: (status: Draft<PersistentVolumeClaimStatus>) => string): Cell =>
  ({ spec, status = {} }) =>
    spec?.volumeName ? text(status) : '';

const cells: ReadonlyMap<string, Cell> = new Map<string, Cell>([
  ['Status', phaseText],
  ['Capacity', whenBound(({ capacity }) => sizeText(capacity))],
  ['Access Modes', whenBound(({ accessModes }) => accessModesText(accessModes))],
  ['StorageClass', classOf],
  ['VolumeMode', volumeModeText],
]);
