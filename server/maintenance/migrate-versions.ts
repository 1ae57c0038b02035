/** The job of `kindforge storage migrate-versions`: every object is written again in the version that is stored now. */
import { type ClientOptions, isConnectionError } from '../../client/index.js';
import { loadKubeconfig } from '../../client/node.js';
import { createProgress } from '../../generator/diagnostics/progress.js';
import { defineLoopback } from '../../plugins/index.js';
import { namingOf } from '../../runtime/objects/naming.js';
import { attributeReader, createServer } from '../../runtime/server/index.js';
import { DamagedStoreError } from '../../runtime/storage/index.js';
import { builtinKinds } from '../builtin-kinds.js';
import { connect } from '../connect.js';
import { withDefinitions } from '../load-definitions.js';
import { FlagError, openExisting } from './open-stores.js';
import { type Rewritten, rewriteAll } from './rewrite-all.js';
import type { Ending } from './run-storage.js';

/** The flags as they were given. */
export interface MigrateVersionsFlags {
  readonly storage?: string;
  readonly server?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly schemas?: string;
  readonly naming: string;
}

/** Writes again what needs it, and says how much that was; objects that could not be written are named. */
export async function runMigrateVersions(flags: MigrateVersionsFlags): Promise<Ending> {
  const progress = createProgress(process.stderr);
  const tell = (done: number, resource: string): void =>
    progress.step('migrating', done, undefined, `objects, now ${resource}`);
  try {
    const rewritten = await migrate(flags, tell);
    progress.end();
    for (const problem of rewritten.problems) console.error(`kindforge: ${problem}`);
    const left = rewritten.problems.length === 0 ? '' : `; ${rewritten.problems.length} could not be written`;
    console.log(`${rewritten.seen} objects, ${rewritten.written} written again${left}`);
    return rewritten.problems.length === 0 ? 'done' : 'refused';
  } catch (error) {
    progress.end();
    const hint = isConnectionError(error) ? '; is the server running, and is this its address?' : '';
    console.error(`kindforge: ${error instanceof Error ? error.message : String(error)}${hint}`);
    return error instanceof DamagedStoreError ? 'refused' : 'failed';
  }
}

type Tell = (done: number, resource: string) => void;

async function migrate({ storage, server, kubeconfig, context, ...rest }: MigrateVersionsFlags, tell: Tell) {
  if (storage !== undefined) return migrateStore(storage, rest, tell);
  const connection: ClientOptions =
    server === undefined
      ? {
          kubeconfig: loadKubeconfig({
            ...(kubeconfig === undefined ? {} : { path: kubeconfig }),
            ...(context === undefined ? {} : { context }),
          }),
        }
      : { baseUrl: server };
  return rewriteAll(connection, tell);
}

/** The same as with a running server, by one that only this command speaks to. */
async function migrateStore(
  text: string,
  { schemas, naming: id }: Pick<MigrateVersionsFlags, 'schemas' | 'naming'>,
  tell: Tell,
): Promise<Rewritten> {
  const naming = namingOf(id);
  if (!naming) throw new FlagError(`--naming ${id} is unknown; use platform or kubernetes`);
  const kinds = await withDefinitions(builtinKinds(naming), schemas);
  const readAttributes = attributeReader(kinds.modules, naming, kinds.strategies, kinds.conversions);
  const { store } = await openExisting('--storage', text, 'refuse', readAttributes);
  try {
    const loopback = defineLoopback();
    const server = createServer({
      modules: kinds.modules,
      strategies: kinds.strategies,
      conversions: kinds.conversions,
      naming,
      store,
      authenticators: [loopback.authenticator],
      featureEnabled: () => true,
      productVersion: '0.0.0',
    });
    return await rewriteAll(connect(server, loopback, 'kindforge'), tell);
  } finally {
    await store.close();
  }
}
