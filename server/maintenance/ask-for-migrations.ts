/** Has a server migrate its objects itself, by one StorageVersionMigration after another. */
import {
  ApiError,
  type ClientOptions,
  createResourceClient,
  type DiscoveredResource,
  discoverResources,
  until,
} from '../../client/index.js';
import { isMigratable } from '../../controllers/storage-migration/controller.js';
import {
  endOf,
  migrationPlural,
  migrationsOf,
  migrationVersion,
  rateAnnotation,
  type StorageVersionMigration,
} from '../../controllers/storage-migration/migrations.js';
import { patient } from '../../controllers/storage-migration/patient.js';

/** The work that the server has done. */
export interface Asked {
  readonly resources: number;
  /** The end of each migration in its own words, with the name of the resource. */
  readonly ends: readonly { readonly resource: string; readonly failed: boolean; readonly message: string }[];
}

export interface AskParts {
  /** Objects per second; the server's own where absent. */
  readonly rate?: number | undefined;
  /** Is told of each resource that is migrated, and how many have been before. */
  readonly tell: (done: number, total: number, resource: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks for each resource in turn, and goes on with a migration that is under way already. Nothing where the server does
 * not serve migrations, or does not let the caller make them.
 */
export async function askForMigrations(connection: ClientOptions, parts: AskParts): Promise<Asked | undefined> {
  const { signal } = parts;
  const client = patient(connection);
  const resources = await discoverResources(client, signal);
  const served = resources.find(
    ({ plural, version, verbs }) =>
      plural === migrationPlural && version === migrationVersion && verbs.includes('create'),
  );
  if (served === undefined) return undefined;
  const migrations = createResourceClient(migrationsOf(served.group), client);
  const unfinished = (await migrations.list(signal ? { signal } : {})).items.filter((one) => !endOf(one));
  const wanted = resources.filter((one) => isMigratable(one) && one.plural !== migrationPlural);
  const ends: { resource: string; failed: boolean; message: string }[] = [];
  for (const [done, resource] of wanted.entries()) {
    parts.tell(done, wanted.length, resource.plural);
    const asked = unfinished.find((one) => isAbout(one, resource));
    const made = asked ?? (await create(migrations, resource, parts).catch(ignoreForbidden));
    if (made === undefined) return undefined;
    const { name = '' } = made.metadata;
    const ended = await until(migrations, name, (one) => endOf(one) !== undefined, signal ? { signal } : {});
    const { type, message = '' } = endOf(ended) ?? {};
    ends.push({ resource: fullName(resource), failed: type === 'Failed', message });
    await migrations.delete(name, signal ? { signal } : {});
  }
  return { resources: wanted.length, ends };
}

type Migrations = ReturnType<typeof createResourceClient<StorageVersionMigration, unknown, 'status'>>;

function create(
  migrations: Migrations,
  { group, version, plural, ...rest }: DiscoveredResource,
  { rate, signal }: AskParts,
): Promise<StorageVersionMigration> {
  const annotations = rate === undefined ? {} : { annotations: { [rateAnnotation]: String(rate) } };
  const generateName = `${fullName({ group, version, plural, ...rest })}-`;
  return migrations.create(
    { metadata: { generateName, ...annotations }, spec: { resource: { group, version, resource: plural } } },
    signal ? { signal } : {},
  );
}

const isAbout = ({ spec }: StorageVersionMigration, { group, plural }: DiscoveredResource): boolean =>
  (spec?.resource?.group ?? '') === group && spec?.resource?.resource === plural;

const fullName = ({ plural, group }: DiscoveredResource): string => (group === '' ? plural : `${plural}.${group}`);

function ignoreForbidden(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === 403)) throw error;
}
