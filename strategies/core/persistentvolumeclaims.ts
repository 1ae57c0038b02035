/** PersistentVolumeClaim: its defaults and rules, what it begins with, how it grows, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, Strategy, StrategyContext } from '../../runtime/contract/index.js';
import { getOwn, objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { firstErrors } from '../shared/field-checks.js';
import { roundUpAmounts } from '../shared/resource-list.js';
import { firstWarnings } from './nodes/labels.js';
import { amountWarnings } from './pod-spec/pod-warnings.js';
import { accessModesText } from './volumes/access-modes.js';
import { checkClaimSpec } from './volumes/claim-spec.js';
import { checkClaimStatus, tellsGrowth } from './volumes/claim-status.js';
import { claimUpdateErrors } from './volumes/claim-update.js';
import { phaseText, sizeText, volumeModeText } from './volumes/columns.js';
import { settleDataSources } from './volumes/data-sources.js';
import { classOf } from './volumes/volume-class.js';

const growthGate = 'RecoverVolumeExpansionFailure';

export function definePersistentVolumeClaimStrategy(names: Naming): Strategy {
  return {
    kind: 'PersistentVolumeClaim',
    repeatsMetadataErrors: true,
    canonicalize,
    prepareForCreate: (claim, { featureEnabled }) =>
      settleDataSources(specOf(claim), undefined, { names, featureEnabled }),
    prepareForUpdate(claim, old, { subresource, featureEnabled }) {
      if (subresource === '') settleDataSources(specOf(claim), specOf(old), { names, featureEnabled });
    },
    validate: (claim, { subresource }) => (subresource === 'status' ? [] : specErrors(claim)),
    validateUpdate: (claim, old, context) => updateErrors(claim, old, context, names),
    warnings: (claim) => [...sizeWarnings(claim, 'requests'), ...sizeWarnings(claim, 'limits')],
    cell: (claim, column) => cells.get(column)?.(claim, names),
  };
}

const specOf = (claim: ApiObject): JsonObject => objectAt(claim, 'spec') ?? {};

function canonicalize(claim: ApiObject): void {
  const spec = objectAt(claim, 'spec');
  roundUpAmounts(objectAt(objectAt(spec, 'resources'), 'limits'));
  roundUpAmounts(objectAt(objectAt(spec, 'resources'), 'requests'));
  roundUpAmounts(objectAt(objectAt(claim, 'status'), 'capacity'));
  roundUpAmounts(objectAt(objectAt(claim, 'status'), 'allocatedResources'));
}

const specErrors = (claim: ApiObject): readonly FieldError[] => firstErrors(checkClaimSpec(specOf(claim), 'spec'));

/** Errors of a change; those of the spec are reported once more. */
function updateErrors(
  claim: ApiObject,
  old: ApiObject,
  { subresource, featureEnabled }: StrategyContext,
  names: Naming,
): readonly FieldError[] {
  const grows = featureEnabled(growthGate) || tellsGrowth(old);
  if (subresource === 'status') return firstErrors(checkClaimStatus(claim, grows));
  return [...specErrors(claim), ...claimUpdateErrors(claim, old, { names, mayShrink: grows })];
}

function sizeWarnings(claim: ApiObject, key: string): readonly string[] {
  const amounts = objectAt(objectAt(specOf(claim), 'resources'), key);
  const storage = amounts && getOwn(amounts, 'storage');
  return storage === undefined ? [] : firstWarnings(amountWarnings({ storage }, `spec.resources.${key}`));
}

type Cell = (claim: ApiObject, names: Naming) => string;

/** A cell that says nothing until the claim has a volume. */
const whenBound =
  (text: (status: JsonObject | undefined) => string): Cell =>
  (claim) =>
    stringAt(specOf(claim), 'volumeName') === '' ? '' : text(objectAt(claim, 'status'));

const cells: ReadonlyMap<string, Cell> = new Map<string, Cell>([
  ['Status', phaseText],
  ['Capacity', whenBound(sizeText)],
  ['Access Modes', whenBound(accessModesText)],
  ['StorageClass', classOf],
  ['VolumeMode', volumeModeText],
]);
