/** StorageVersionMigration: its resource, its progress, and its columns. */
import { defineStorageVersionMigrationHandlers } from '../../generated/storagemigration.platform.io/v1alpha1/storageversionmigrations/handlers.js';
import type {
  GroupVersionResource,
  StorageVersionMigrationStatus,
} from '../../generated/types/storagemigration/v1alpha1/types.js';
import type { Draft, KindHandlers } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, notSupported, required } from '../../runtime/objects/field-error.js';
import { qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import type { FieldErrors } from '../shared/field-checks.js';

type Resource = Draft<GroupVersionResource>;
type Status = Draft<StorageVersionMigrationStatus>;

/** The fields that conditions of both versions have. */
type Conditions = readonly { readonly type?: string | undefined; readonly status?: string | undefined }[];

/** The status in either version. */
interface Progress {
  readonly conditions?: Conditions | undefined;
  readonly resourceVersion?: string | undefined;
}

export const defineStorageVersionMigrations = (): KindHandlers =>
  defineStorageVersionMigrationHandlers({
    prepareForCreate: (object) => {
      delete object.status;
    },
    validate: ({ spec, status }, { subresource }) =>
      subresource === 'status' ? [...statusErrors(status)] : [...resourceErrors(spec?.resource, 'version')],
    validateUpdate: ({ spec, status }, old, { subresource }) =>
      subresource === 'status'
        ? [...statusChangeErrors(status, old.status)]
        : [...resourceChangeErrors(spec?.resource, old.spec?.resource)],
    columns: {
      Resource: ({ spec }) => nameOf(spec?.resource),
      Status: ({ status }) => stateOf(status?.conditions),
    },
  });

export function* resourceErrors(resource: Resource = {}, needed?: 'version'): FieldErrors {
  if (!resource.resource) yield required('spec.resource.resource', 'resource is required');
  if (needed && !resource.version) yield required('spec.resource.version', 'version is required');
}

/** The resource of a migration never changes. */
export function* resourceChangeErrors(resource: Resource = {}, old: Resource = {}): FieldErrors {
  for (const part of ['group', 'version', 'resource'] as const) {
    const value = resource[part] ?? '';
    if (value !== (old[part] ?? '')) yield invalidValue(`spec.resource.${part}`, value, 'field is immutable');
  }
}

const statuses = ['False', 'True', 'Unknown'];

/** The revision is a number, and a migration has one outcome. */
export function* outcomeErrors({ conditions = [], resourceVersion = '' }: Progress = {}): FieldErrors {
  if (resourceVersion !== '' && !/^\d+$/.test(resourceVersion)) {
    yield invalidValue('status.resourceVersion', resourceVersion, 'must be a revision, a number without a sign');
  }
  const [first, second] = ['Running', 'Succeeded', 'Failed'].filter((type) => isTrue(conditions, type));
  if (first !== undefined && second !== undefined) {
    yield invalidValue('status.conditions', second, `${first} and ${second} cannot both be true`);
  }
}

function* statusErrors(wanted: Status = {}): FieldErrors {
  const { conditions = [] } = wanted;
  const seen = new Set<string>();
  for (const [i, { type = '', status = '', lastUpdateTime, reason }] of conditions.entries()) {
    const field = `status.conditions[${i}]`;
    if (seen.has(type)) yield duplicate(`${field}.type`, type);
    seen.add(type);
    for (const problem of qualifiedNameCheck(type)) yield invalidValue(`${field}.type`, type, problem);
    if (!statuses.includes(status)) yield notSupported(`${field}.status`, status, statuses);
    if (!lastUpdateTime) yield required(`${field}.lastUpdateTime`, 'must be set');
    if (!reason) yield required(`${field}.reason`, 'must be set');
  }
  yield* outcomeErrors(wanted);
}

/** The end of a migration is final, and so is the revision at its start. */
export function* statusChangeErrors(status: Progress = {}, old: Progress = {}): FieldErrors {
  const { conditions = [], resourceVersion = '' } = status;
  if (old.resourceVersion && old.resourceVersion !== resourceVersion) {
    yield invalidValue('status.resourceVersion', resourceVersion, 'resourceVersion cannot be updated');
  }
  for (const type of ['Succeeded', 'Failed']) {
    if (isTrue(old.conditions, type) && !isTrue(conditions, type)) {
      yield invalidValue('status.conditions', type, `${type} cannot become false once it is true`);
    }
  }
}

const isTrue = (conditions: Conditions = [], type: string): boolean =>
  conditions.some((condition) => condition.type === type && condition.status === 'True');

/** Prints a resource as in `deployments.apps`. */
export const nameOf = ({ group, resource = '' }: Resource = {}): string => (group ? `${resource}.${group}` : resource);

/** Returns how a migration ended, that it is running, or `Pending`. */
export const stateOf = (conditions: Conditions | undefined): string =>
  ['Succeeded', 'Failed', 'Running'].find((type) => isTrue(conditions, type)) ?? 'Pending';
