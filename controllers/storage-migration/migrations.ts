/** StorageVersionMigrations as those who make them and those who carry them out know them. */
import { type ApiObjectLike, defineResource } from '../../client/index.js';

/** One aspect of how far a migration is. */
export interface MigrationCondition {
  type: 'Running' | 'Succeeded' | 'Failed';
  status: 'True' | 'False' | 'Unknown';
  lastUpdateTime?: string;
  reason?: string;
  message?: string;
}

export interface StorageVersionMigration extends ApiObjectLike {
  spec?: { resource?: { group?: string; version?: string; resource?: string }; continueToken?: string };
  status?: { conditions?: MigrationCondition[]; resourceVersion?: string };
}

export const migrationVersion = 'v1alpha1';
export const migrationPlural = 'storageversionmigrations';

/** The resource, in its group as it is served. */
export const migrationsOf = (group: string) =>
  defineResource<StorageVersionMigration>()({
    group,
    version: migrationVersion,
    plural: migrationPlural,
    kind: 'StorageVersionMigration',
    scope: 'Cluster',
    subresources: ['status'],
  } as const);

/** Annotation: objects per second, where not the usual ones. */
export const rateAnnotation = 'kindforge.dev/rate';

/** Annotation: the state of the definition that the continue token was reached under. */
export const markAnnotation = 'kindforge.dev/position-of';

/** How a migration ended; nothing while it waits or is under way. */
export const endOf = ({ status }: StorageVersionMigration): MigrationCondition | undefined =>
  status?.conditions?.find(({ type, status }) => type !== 'Running' && status === 'True');
