/** The fields of StorageVersionMigrations that clients and the controller use. */
import { type ApiObjectLike, defineResource } from '../../client/index.js';

export interface MigrationCondition {
  type: 'Running' | 'Succeeded' | 'Failed';
  status: 'True' | 'False' | 'Unknown';
  /** In `v1alpha1`. */
  lastUpdateTime?: string;
  /** In `v1beta1`. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

export interface StorageVersionMigration extends ApiObjectLike {
  /** The version and the token are fields of `v1alpha1` only. */
  spec?: { resource?: { group?: string; version?: string; resource?: string }; continueToken?: string };
  status?: { conditions?: MigrationCondition[]; resourceVersion?: string };
}

export const migrationVersion = 'v1alpha1';
export const migrationPlural = 'storageversionmigrations';

/** Describes the resource, in its group as it is served. */
export const migrationsOf = (group: string, version: string = migrationVersion) =>
  defineResource<StorageVersionMigration>()({
    group,
    version,
    plural: migrationPlural,
    kind: 'StorageVersionMigration',
    scope: 'Cluster',
    subresources: ['status'],
  } as const);

/** Annotation: objects per second, if not the default. */
export const rateAnnotation = 'kindforge.dev/rate';

/** Annotation: the state of the definition for which the continue token is valid. */
export const markAnnotation = 'kindforge.dev/position-of';

/** Annotation: the continue token, if the version has no field for it. */
export const tokenAnnotation = 'kindforge.dev/continue';

/** Returns the condition with which a migration ended; `undefined` before. */
export const endOf = ({ status }: StorageVersionMigration): MigrationCondition | undefined =>
  status?.conditions?.find(({ type, status }) => type !== 'Running' && status === 'True');
