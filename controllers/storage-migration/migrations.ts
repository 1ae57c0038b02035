/** The fields of StorageVersionMigrations that clients and the controller use. */
import { type ApiObjectLike, defineResource } from '../../client/index.js';

export interface MigrationCondition {
  type: 'Running' | 'Succeeded' | 'Failed';
  status: 'True' | 'False' | 'Unknown';
  /** In v1alpha1. */
  lastUpdateTime?: string;
  /** In v1beta1. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

export interface StorageVersionMigration extends ApiObjectLike {
  /** Versions and tokens are in v1alpha1 only. */
  spec?: { resource?: { group?: string; version?: string; resource?: string }; continueToken?: string };
  status?: { conditions?: MigrationCondition[]; resourceVersion?: string };
}

/** The versions with different fields, the best first. */
export const migrationVersions = ['v1beta1', 'v1alpha1'] as const;

export type MigrationVersion = (typeof migrationVersions)[number];

export const migrationPlural = 'storageversionmigrations';

/** Describes the resource, in its group and version as they are served. */
export const migrationsOf = (group: string, version: MigrationVersion = 'v1alpha1') =>
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

/** Annotation: the continue token, in versions without a field for it. */
export const tokenAnnotation = 'kindforge.dev/position';

/** Returns the condition with which a migration ended; `undefined` if it has not ended. */
export const endOf = ({ status }: StorageVersionMigration): MigrationCondition | undefined =>
  status?.conditions?.find(({ type, status }) => type !== 'Running' && status === 'True');
