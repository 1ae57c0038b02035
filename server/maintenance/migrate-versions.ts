/** The job of `kindforge storage migrate-versions`: every object is written again in the version that is stored now. */
import { defineLoopback } from '../../plugins/index.js';
import { namingOf } from '../../runtime/objects/naming.js';
import { attributeReader, createServer } from '../../runtime/server/index.js';
import { builtinKinds } from '../builtin-kinds.js';
import { connect } from '../connect.js';
import { withDefinitions } from '../load-definitions.js';
import { FlagError, openExisting } from './open-stores.js';
import { type Rewritten, rewriteAll } from './rewrite-all.js';
import { connectionTo, type RunningServerFlags } from './running-server.js';

/** The flags as they were given. */
export interface MigrateVersionsFlags extends RunningServerFlags {
  readonly storage?: string;
  readonly schemas?: string;
  readonly naming: string;
}

/** Is told how many objects were looked at, and the plural of the resource of the latest. */
type Tell = (done: number, resource: string) => void;

/** Writes again what needs it. Rejects where the store or the server cannot be used. */
export async function migrateVersions(flags: MigrateVersionsFlags, tell: Tell): Promise<Rewritten> {
  const { storage, server, kubeconfig, context, ...rest } = flags;
  if (storage !== undefined) return migrateStore(storage, rest, tell);
  return rewriteAll(connectionTo({ server, kubeconfig, context }), tell);
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
