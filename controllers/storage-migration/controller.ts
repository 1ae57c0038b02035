/** Executes StorageVersionMigrations: rewrites the objects of a resource that are stored in an earlier version. */
import {
  ApiError,
  type ClientOptions,
  createResourceClient,
  type DiscoveredResource,
  discoverResources,
  isNotFound,
  type ResourceClient,
} from '../../client/index.js';
import type { Controller } from '../controller.js';
import { allowListeners } from '../kit/allow-listeners.js';
import { defineController } from '../kit/define-controller.js';
import { ignoreNotFound } from '../kit/ignore-not-found.js';
import { watch } from '../kit/watch.js';
import { type Migrated, migrateResource, type Position } from './migrate-resource.js';
import {
  endOf,
  type MigrationCondition,
  type MigrationVersion,
  markAnnotation,
  migrationsOf,
  rateAnnotation,
  type StorageVersionMigration,
  tokenAnnotation,
} from './migrations.js';
import { definePace, pageSizeAt, rateLimits, usualRate } from './pace.js';
import { patient } from './patient.js';
import { StoredVersions } from './stored-versions.js';
import type { Walked } from './walk.js';

type Migrations = ResourceClient<StorageVersionMigration, unknown, 'status'>;

/** Maximum number of objects in the message of a failed migration. */
const mostNamed = 5;

/**
 * Defines the controller, for servers with migrations, in their group and version as they are served. A key is the name
 * of a migration.
 */
export function defineStorageMigration(group: string, version: MigrationVersion): Controller {
  const resource = migrationsOf(group, version);
  const name = 'storage-version-migrator';
  return {
    name,
    // Does not wait: a migration takes long, and resumes from its saved position.
    run: (parts) => {
      allowListeners(parts.signal);
      return defineController({
        name,
        watches: [watch(resource)],
        async reconcile(key, { client: connection, cacheOf }) {
          const known = cacheOf(resource).get(key);
          if (known === undefined || endOf(known) !== undefined) return;
          const client = patient(connection);
          await new OneMigration(createResourceClient(resource, client), version, key, client, parts.signal).run();
        },
      }).run(parts);
    },
  };
}

/** One migration, from its saved position to its end. */
class OneMigration {
  constructor(
    readonly migrations: Migrations,
    readonly version: MigrationVersion,
    readonly name: string,
    readonly client: ClientOptions,
    readonly signal: AbortSignal,
  ) {}

  /** Rejects if the migration must be retried. Ends if the migration is deleted. */
  async run(): Promise<void> {
    const { name, signal } = this;
    const migration = await this.migrations.get(name, { signal }).catch(ignoreNotFound);
    if (migration === undefined || endOf(migration) !== undefined) return;
    try {
      await this.#migrate(migration);
    } catch (error) {
      if (!isNotFound(error) || (await this.migrations.get(name, { signal }).catch(ignoreNotFound))) throw error;
    }
  }

  async #migrate(migration: StorageVersionMigration): Promise<void> {
    const found = await this.#find(migration);
    if (typeof found === 'string') return this.#end('Failed', found);
    const { resource, definitions, revision } = found;
    await this.#running('0 objects', migration.status?.resourceVersion ?? revision);
    const rate = rateOf(migration);
    const migrated = await migrateResource(resource, {
      client: this.client,
      pace: definePace(rate),
      pageSize: pageSizeAt(rate),
      signal: this.signal,
      definitions,
      position: positionOf(migration),
      save: async (position, walked) => {
        await this.#save(position);
        await this.#running(countsOf(walked));
      },
    });
    await this.#end(migrated.problems.length === 0 ? 'Succeeded' : 'Failed', summaryOf(migrated));
  }

  /** Returns the resource to migrate, or why it cannot be migrated. */
  async #find({ spec = {} }: StorageVersionMigration) {
    const { group = '', resource: plural = '' } = spec.resource ?? {};
    const resources = await discoverResources(this.client, this.signal);
    const named = resources.find((one) => one.group === group && one.plural === plural);
    if (named === undefined) return `${plural} of group ${JSON.stringify(group)} are not served`;
    if (!isMigratable(named)) return `${plural} cannot be listed and patched`;
    const { version = this.version === 'v1alpha1' ? '' : named.version } = spec.resource ?? {};
    const resource: DiscoveredResource = { ...named, version };
    const { types: _types, ...plain } = resource;
    try {
      const first = await createResourceClient(plain, this.client)
        .metadataOnly()
        .list({ limit: 1, signal: this.signal });
      const revision = first.metadata.resourceVersion ?? '';
      return { resource, definitions: new StoredVersions(resources, this.client), revision };
    } catch (error) {
      if (isNotFound(error)) return `${plural} of group ${JSON.stringify(group)} are not served in ${version}`;
      if (error instanceof ApiError && error.code < 500) return error.message;
      throw error;
    }
  }

  async #save({ mark, token }: Position): Promise<void> {
    const change =
      this.version === 'v1alpha1'
        ? { metadata: { annotations: { [markAnnotation]: mark } }, spec: { continueToken: token } }
        : { metadata: { annotations: { [markAnnotation]: mark, [tokenAnnotation]: token } } };
    await this.migrations.patch(this.name, change, { signal: this.signal });
  }

  async #running(message: string, resourceVersion?: string): Promise<void> {
    const conditions = [this.#condition('Running', 'True', 'StorageVersionMigrationInProgress', message)];
    await this.#write({ conditions, ...(resourceVersion === undefined ? {} : { resourceVersion }) });
  }

  async #end(type: 'Succeeded' | 'Failed', message: string): Promise<void> {
    const reason = `StorageVersionMigration${type}`;
    await this.#write({
      conditions: [
        this.#condition('Running', 'False', reason, message),
        this.#condition(type, 'True', reason, message),
      ],
    });
  }

  #condition(
    type: MigrationCondition['type'],
    status: MigrationCondition['status'],
    reason: string,
    message: string,
  ): MigrationCondition {
    const time = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
    const at = this.version === 'v1alpha1' ? { lastUpdateTime: time } : { lastTransitionTime: time };
    return { type, status, ...at, reason, message };
  }

  async #write(status: NonNullable<StorageVersionMigration['status']>): Promise<void> {
    await this.migrations.subresource('status').patch(this.name, { status }, { signal: this.signal });
  }
}

/** Returns whether objects of a resource can be read and written. */
export const isMigratable = ({ verbs }: DiscoveredResource): boolean =>
  verbs.includes('list') && verbs.includes('patch');

function rateOf({ metadata }: StorageVersionMigration): number {
  const asked = Number(metadata.annotations?.[rateAnnotation] ?? usualRate);
  const isRate = asked >= rateLimits.least && asked <= rateLimits.most;
  return isRate ? asked : usualRate;
}

function positionOf({ metadata, spec }: StorageVersionMigration): Position | undefined {
  const mark = metadata.annotations?.[markAnnotation];
  const token = spec?.continueToken ?? metadata.annotations?.[tokenAnnotation] ?? '';
  // Before the first migrated page, a migration has no mark.
  return mark === undefined ? undefined : { mark, token };
}

const countsOf = ({ seen, written }: Walked): string =>
  `${seen} ${seen === 1 ? 'object' : 'objects'}, ${written} written again`;

function summaryOf(migrated: Migrated): string {
  const { problems, dropped } = migrated;
  const more = problems.length > mostNamed ? [`and ${problems.length - mostNamed} more`] : [];
  const gone = dropped.length === 0 ? [] : [`nothing is stored in ${dropped.join(', ')} any more`];
  return [countsOf(migrated), ...gone, ...problems.slice(0, mostNamed), ...more].join('; ');
}
