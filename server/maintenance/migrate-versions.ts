/** The job of `kindforge storage migrate-versions`: every object is written again in the version that is stored now. */
import { allowListeners } from '../../controllers/kit/allow-listeners.js';
import { rateLimits, usualRate } from '../../controllers/storage-migration/pace.js';
import { modulesOfCustomResource } from '../../generator/modules/custom-resource-modules.js';
import { defineLoopback } from '../../plugins/index.js';
import { namingOf } from '../../runtime/objects/naming.js';
import { attributeReader, createServer, readRuntimeConfig } from '../../runtime/server/index.js';
import { builtinKinds } from '../builtin-kinds.js';
import { connect } from '../connect.js';
import { withDefinitions } from '../load-definitions.js';
import { webhookCalls } from '../webhooks/webhook-calls.js';
import { type Asked, askForMigrations } from './ask-for-migrations.js';
import { FlagError, openExisting } from './open-stores.js';
import { openPositions } from './positions.js';
import { type Rewritten, rewriteAll } from './rewrite-all.js';
import { connectionTo, nameOfServer, type RunningServerFlags } from './running-server.js';

/** The flags as they were given. */
export interface MigrateVersionsFlags extends RunningServerFlags {
  readonly storage?: string;
  readonly schemas?: string;
  readonly naming: string;
  /** Objects per second. */
  readonly rate?: string;
  /** File that keeps how far the migration is. */
  readonly state?: string;
}

/** Is told how far the job is: of how many, where that is known, and the resource that it is at. */
export type Tell = (done: number, total: number | undefined, what: string) => void;

/** `asked`: the server has migrated by itself. `rewritten`: this command has. */
export type MigrationOutcome = ({ readonly kind: 'asked' } & Asked) | ({ readonly kind: 'rewritten' } & Rewritten);

/** Writes again what needs it. Rejects where the store or the server cannot be used, or with the signal's reason. */
export async function migrateVersions(
  flags: MigrateVersionsFlags,
  tell: Tell,
  signal?: AbortSignal,
): Promise<MigrationOutcome> {
  const { storage } = flags;
  const rate = readRate(flags.rate);
  // Every request under way, and every pause, listens.
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
  tell: Tell,
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

/** The same as with a running server, by one that only this command speaks to. It serves all versions that there are. */
async function migrateStore(
  text: string,
  { schemas, naming: id, state }: MigrateVersionsFlags,
  rate: number | undefined,
  tell: Tell,
  signal: AbortSignal | undefined,
): Promise<Rewritten> {
  if (state !== undefined) throw new FlagError('--state is for running servers; without it, run the command again');
  const naming = namingOf(id);
  if (!naming) throw new FlagError(`--naming ${id} is unknown; use platform or kubernetes`);
  const kinds = await withDefinitions(builtinKinds(naming), schemas);
  const readAttributes = attributeReader(kinds.modules, naming, kinds.handlers, kinds.conversions);
  const everything = readRuntimeConfig('api/all=true');
  const { store } = await openExisting('--storage', text, 'refuse', readAttributes);
  try {
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
      openConversion: webhookCalls().openConversion,
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
