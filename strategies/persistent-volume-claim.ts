/** PersistentVolumeClaim: what its volume begins with, how it may grow, and how tables show it. */
import type { ApiObject, JsonObject, Strategy } from '../runtime/contract/index.js';
import { equal } from '../runtime/objects/equality.js';
import { forbidden, invalidValue } from '../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../runtime/objects/guards.js';
import type { Naming } from '../runtime/objects/naming.js';
import { compareQuantities } from '../runtime/objects/quantity.js';
import { accessModeText } from './parts/access-modes.js';
import { checkClaimSpec } from './parts/claim-spec.js';
import { type FieldErrors, firstErrors, hasAt, textsAt } from './parts/field-checks.js';
import { quantitiesAt } from './parts/resources.js';

export function definePersistentVolumeClaimStrategy({ rename }: Naming): Strategy {
  const classAnnotation = rename('volume.beta.platform.io/storage-class');
  const snapshots = `snapshot.${rename('storage.platform.io')}`;
  return {
    kind: 'PersistentVolumeClaim',
    prepareForCreate: (claim) => matchDataSources(claim, undefined, snapshots),
    prepareForUpdate(claim, old, { subresource }) {
      if (subresource === '') matchDataSources(claim, old, snapshots);
    },
    validate: (claim, { subresource }) =>
      subresource === 'status' ? [] : firstErrors(checkClaimSpec(specOf(claim), 'spec')),
    validateUpdate: (claim, old, { subresource }) =>
      subresource === 'status' ? [] : firstErrors(checkChange(claim, old, classAnnotation)),
    warnings: (claim) =>
      claim.metadata.annotations?.[classAnnotation] === undefined
        ? []
        : [`metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`],
    cell: (claim, column) =>
      column === 'StorageClass'
        ? (claim.metadata.annotations?.[classAnnotation] ?? stringAt(specOf(claim), 'storageClassName'))
        : cells.get(column)?.(claim),
  };
}

const specOf = (claim: ApiObject): JsonObject => objectAt(claim, 'spec') ?? {};
const statusOf = (claim: ApiObject): JsonObject => objectAt(claim, 'status') ?? {};

/**
 * Each of the two fields is filled in from the other where that can be. The older one only ever knew claims and
 * snapshots, and what else it says is dropped, but where it was stored.
 */
function matchDataSources(claim: ApiObject, old: ApiObject | undefined, snapshots: string): void {
  const spec = objectAt(claim, 'spec');
  if (!spec) return;
  const isOld = old && (hasAt(specOf(old), 'dataSource') || hasAt(specOf(old), 'dataSourceRef'));
  const source = objectAt(spec, 'dataSource');
  if (source && !isOld && !isClaimOrSnapshot(source, snapshots)) delete spec.dataSource;
  const [kept, reference] = [objectAt(spec, 'dataSource'), objectAt(spec, 'dataSourceRef')];
  if (kept && !reference) spec.dataSourceRef = { ...kept };
  else if (reference && !kept && stringAt(reference, 'namespace') === '') {
    const { namespace: _namespace, ...local } = reference;
    spec.dataSource = local;
  }
}

function isClaimOrSnapshot(source: JsonObject, snapshots: string): boolean {
  const [group, kind] = [stringAt(source, 'apiGroup'), stringAt(source, 'kind')];
  return (kind === 'PersistentVolumeClaim' && group === '') || (kind === 'VolumeSnapshot' && group === snapshots);
}

const immutableRule = 'spec is immutable after creation except resources.requests for bound claims';

function* checkChange(claim: ApiObject, old: ApiObject, classAnnotation: string): FieldErrors {
  const [spec, before] = [specOf(claim), specOf(old)];
  const annotated = claim.metadata.annotations?.[classAnnotation] ?? '';
  const annotatedBefore = old.metadata.annotations?.[classAnnotation];
  const isMoved =
    annotatedBefore !== undefined && before.storageClassName === undefined && spec.storageClassName === annotatedBefore;
  if (!isMoved && annotated !== (annotatedBefore ?? '')) {
    yield invalidValue(`metadata.annotations.${classAnnotation}`, annotated, 'field is immutable');
  }
  if (!equal(comparable(claim, old), comparable(old, old))) yield forbidden('spec', immutableRule);
  const [size, sizeBefore] = [sizeOf(spec), sizeOf(before)];
  if (size && sizeBefore && compareQuantities(size, sizeBefore) < 0) {
    yield forbidden('spec.resources.requests.storage', 'field can not be less than previous value');
  }
  if (spec.volumeMode !== before.volumeMode) {
    yield invalidValue('volumeMode', spec.volumeMode, 'field is immutable');
  }
}

const sizeOf = (spec: JsonObject) => quantitiesAt(objectAt(spec, 'resources'), 'requests').get('storage');

/**
 * A spec without what may change: the volume and the class while there is none yet, and the size of a claim that has
 * its volume.
 */
function comparable(claim: ApiObject, old: ApiObject): JsonObject {
  const before = specOf(old);
  const { volumeName, storageClassName, resources, ...rest } = specOf(claim);
  const isBound = stringAt(statusOf(claim), 'phase') === 'Bound';
  const { storage, ...requests } = objectAt(objectAt({ resources }, 'resources'), 'requests') ?? {};
  return {
    ...rest,
    volumeName: stringAt(before, 'volumeName') === '' ? undefined : volumeName,
    storageClassName: before.storageClassName === undefined ? undefined : storageClassName,
    resources: { ...objectAt({ resources }, 'resources'), requests: isBound ? requests : { ...requests, storage } },
  };
}

const cells: ReadonlyMap<string, (claim: ApiObject) => string> = new Map([
  [
    'Status',
    (claim: ApiObject) =>
      claim.metadata.deletionTimestamp === undefined ? stringAt(statusOf(claim), 'phase') : 'Terminating',
  ],
  [
    'Capacity',
    (claim: ApiObject) => ofVolume(claim, stringAt(objectAt(statusOf(claim), 'capacity'), 'storage') || '0'),
  ],
  ['Access Modes', (claim: ApiObject) => ofVolume(claim, accessModeText(textsAt(statusOf(claim), 'accessModes')))],
  ['VolumeMode', (claim: ApiObject) => stringAt(specOf(claim), 'volumeMode') || '<unset>'],
]);

/** What is said of the volume, where there is one. */
const ofVolume = (claim: ApiObject, text: string): string => (stringAt(specOf(claim), 'volumeName') === '' ? '' : text);
