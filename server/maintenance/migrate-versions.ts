/** Does the job of `kindforge storage migrate-versions`: rewrites every object in the current stored version. */
import {
  ApiError,
  type ClientOptions,
  createResourceClient,
  type DiscoveredResource,
  discoverResources,
  until,
} from '../../client/index.js';
import { allowListeners } from '../../controllers/kit/allow-listeners.js';
import { isMigratable } from '../../controllers/storage-migration/controller.js';
import {
  endOf,
  type MigrationVersion,
  migrationPlural,
  migrationsOf,
  migrationVersions,
  rateAnnotation,
  type StorageVersionMigration,
} from '../../controllers/storage-migration/migrations.js';
import { rateLimits, usualRate } from '../../controllers/storage-migration/pace.js';
import { patient } from '../../controllers/storage-migration/patient.js';
import { modulesOfCustomResource } from '../../generator/emit/modules.js';
import { defineLoopback } from '../../plugins/index.js';
import { namingOf } from '../../runtime/objects/names/naming.js';
import { emulate } from '../../runtime/objects/release.js';
import { attributeReader, createServer, readRuntimeConfig } from '../../runtime/server/index.js';
import type { Encryption } from '../../runtime/storage/index.js';
import { builtinKinds } from '../builtin-kinds.js';
import { connect } from '../connect.js';
import { withDefinitions } from '../load-definitions.js';
import { refuseStepBack } from '../parts/check-step-back.js';
import { OutgoingCalls } from '../webhooks/outgoing-calls.js';
import { webhookCalls } from '../webhooks/webhook-calls.js';
import {
  connectionTo,
  FlagError,
  nameOfServer,
  openExisting,
  type RunningServerFlags,
  withEncryption,
} from './open-stores.js';
import { type Rewritten, rewriteAll } from './rewrite-all.js';
import { openPositions } from './storage-jobs.js';

export interface MigrateVersionsFlags extends RunningServerFlags {
  readonly storage?: string;
  readonly schemas?: string;
  readonly naming: string;
  /** Objects per second. */
  readonly rate?: string;
  /** The file with the progress of the migration. */
  readonly state?: string;
  /** The file with the keys; only for `storage`. */
  readonly encryptionProviderConfig?: string;
}

/** Receives the progress: the count, the total if known, and the current resource. */
export type ReportCount = (done: number, total: number | undefined, what: string) => void;

/** `asked`: the server has migrated by itself. `rewritten`: this command has. */
export type MigrationOutcome = ({ readonly kind: 'asked' } & Asked) | ({ readonly kind: 'rewritten' } & Rewritten);

/**
 * Rewrites outdated objects. Rejects if the store or the server cannot be used. An abort rejects with the signal's
 * reason.
 */
export async function migrateVersions(
  flags: MigrateVersionsFlags,
  tell: ReportCount,
  signal?: AbortSignal,
): Promise<MigrationOutcome> {
  const { storage } = flags;
  const rate = readRate(flags.rate);
  // Every request in flight and every pause adds a listener to the signal.
  if (signal) allowListeners(signal);
  return storage === undefined
    ? migrateServer(flags, rate, tell, signal)
    : { kind: 'rewritten', ...(await migrateStore(storage, flags, rate, tell, signal)) };
}

/** Throws a `FlagError`. */
function readRate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const rate = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  const { least, most } = rateLimits;
  if (rate >= least && rate <= most) return rate;
  throw new FlagError(`--rate ${text}: use a number of objects per second from ${least} to ${most}`);
}

async function migrateServer(
  { server, kubeconfig, context, state }: MigrateVersionsFlags,
  rate: number | undefined,
  tell: ReportCount,
  signal: AbortSignal | undefined,
): Promise<MigrationOutcome> {
  const connection = connectionTo({ server, kubeconfig, context });
  const asked = await askForMigrations(connection, {
    rate,
    signal,
    tell: (done, total, resource) => tell(done, total, `resources, now ${resource}`),
  });
  if (asked) return { kind: 'asked', ...asked };
  const positions = state === undefined ? undefined : await openPositions(state, nameOfServer(connection));
  const rewritten = await rewriteAll(connection, {
    rate: rate ?? usualRate,
    tell: (done, resource) => tell(done, undefined, `objects, now ${resource}`),
    positions,
    signal,
  });
  return { kind: 'rewritten', ...rewritten };
}

/** Migrates a store through a server in this process that serves all versions. */
function migrateStore(
  text: string,
  flags: MigrateVersionsFlags,
  ...rest: [number | undefined, ReportCount, AbortSignal | undefined]
): Promise<Rewritten> {
  return withEncryption(flags.encryptionProviderConfig, (encryption) =>
    migrateEncrypted(text, flags, encryption, ...rest),
  );
}

async function migrateEncrypted(
  text: string,
  { schemas, naming: id, state }: MigrateVersionsFlags,
  encryption: Encryption | undefined,
  rate: number | undefined,
  tell: ReportCount,
  signal: AbortSignal | undefined,
): Promise<Rewritten> {
  if (state !== undefined) throw new FlagError('--state is for running servers; without it, run the command again');
  const naming = namingOf(id);
  if (!naming) throw new FlagError(`--naming ${id}: must be platform or kubernetes`);
  const kinds = await withDefinitions(builtinKinds(naming), schemas);
  const readAttributes = attributeReader(kinds.modules, naming, kinds.handlers, kinds.conversions);
  const everything = readRuntimeConfig('api/all=true');
  const { store, place } = await openExisting(text, encryption, readAttributes);
  try {
    await refuseStepBack({ store, place }, kinds, naming, { release: emulate() });
    const loopback = defineLoopback();
    const server = createServer({
      modules: kinds.modules,
      handlers: kinds.handlers,
      conversions: kinds.conversions,
      naming,
      store,
      authenticators: [loopback.authenticator],
      featureEnabled: () => true,
      ...(everything.ok ? { runtimeConfig: everything.value } : {}),
      productVersion: '0.0.0',
      compileDefinition: modulesOfCustomResource,
      openConversion: webhookCalls(new OutgoingCalls()).openConversion,
    });
    return await rewriteAll(connect({ server, naming, loopback }, 'kindforge'), {
      rate,
      tell: (done, resource) => tell(done, undefined, `objects, now ${resource}`),
      signal,
    });
  } finally {
    await store.close();
  }
}

/** The migrations by the server. */
interface Asked {
  readonly resources: number;
  /** The server's report of each migration, with the name of the resource. */
  readonly ends: readonly { readonly resource: string; readonly failed: boolean; readonly message: string }[];
}

interface AskParts {
  /** Objects per second. Default: the server's own rate. */
  readonly rate?: number | undefined;
  /** Receives each resource when its migration begins, and the number of resources before it. */
  readonly tell: (done: number, total: number, resource: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks the server to migrate each resource in turn, and continues a migration in flight. Returns nothing if the server
 * does not serve migrations, or the user may not create them.
 */
async function askForMigrations(connection: ClientOptions, parts: AskParts): Promise<Asked | undefined> {
  const { signal } = parts;
  const client = patient(connection);
  const resources = await discoverResources(client, signal);
  const served = resources.find(({ plural, verbs }) => plural === migrationPlural && verbs.includes('create'));
  const version = migrationVersions.find((one) => one === served?.version);
  if (served === undefined || version === undefined) return undefined;
  const migrations = createResourceClient(migrationsOf(served.group, version), client);
  const unfinished = (await migrations.list(signal ? { signal } : {})).items.filter((one) => !endOf(one));
  const wanted = resources.filter((one) => isMigratable(one) && one.plural !== migrationPlural);
  const ends: { resource: string; failed: boolean; message: string }[] = [];
  for (const [done, resource] of wanted.entries()) {
    parts.tell(done, wanted.length, resource.plural);
    const asked = unfinished.find((one) => isAbout(one, resource));
    const made = asked ?? (await create(migrations, version, resource, parts).catch(ignoreForbidden));
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
  migrationVersion: MigrationVersion,
  { group, version, plural, ...rest }: DiscoveredResource,
  { rate, signal }: AskParts,
): Promise<StorageVersionMigration> {
  const annotations = rate === undefined ? {} : { annotations: { [rateAnnotation]: String(rate) } };
  const generateName = `${fullName({ group, version, plural, ...rest })}-`;
  const resource = { group, resource: plural, ...(migrationVersion === 'v1alpha1' ? { version } : {}) };
  return migrations.create(
    { metadata: { generateName, ...annotations }, spec: { resource } },
    signal ? { signal } : {},
  );
}

const isAbout = ({ spec }: StorageVersionMigration, { group, plural }: DiscoveredResource): boolean =>
  (spec?.resource?.group ?? '') === group && spec?.resource?.resource === plural;

const fullName = ({ plural, group }: DiscoveredResource): string => (group === '' ? plural : `${plural}.${group}`);

function ignoreForbidden(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === 403)) throw error;
}
