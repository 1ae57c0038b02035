/** Starts a server in three steps: opens its parts, creates its API, and brings it up. */
import { bringUp } from './bring-up.js';
import { createApi } from './create-api.js';
import { openParts } from './open-parts.js';
import type { ListeningOptions, StartOptions } from './options.js';
import type { ListeningServer, RunningServer } from './running-server.js';
import type { Chosen } from './workers/open-role.js';
import type { Role } from './workers/role.js';

/**
 * Starts a server. If it rejects, it leaves nothing open. Rejects with:
 * - an `OptionError` if an option cannot be used,
 * - a `DefinitionsError` if definitions have mistakes,
 * - an `UnknownVersionError` if objects are stored in versions or scopes without definitions,
 * - a `StepBackError` if the emulated release is too early for the stored data,
 * - the store's own errors if its data is damaged or in use.
 */
export function startServer(options?: ListeningOptions): Promise<ListeningServer>;
export function startServer(options: StartOptions & { readonly http: false }): Promise<RunningServer>;
export async function startServer(given: StartOptions = {}): Promise<RunningServer> {
  const { role, options } = await chooseRole(given);
  try {
    return await start(options, role);
  } catch (error) {
    if (role?.kind === 'worker') await role.failed(error);
    throw error;
  }
}

async function start(options: StartOptions, role: Role | undefined): Promise<RunningServer> {
  const parts = await openParts(options, role);
  try {
    const api = await createApi(parts);
    return await bringUp(parts, api);
  } catch (error) {
    await parts.close();
    throw error;
  }
}

/** Chooses the role of this process. Only servers with workers load the code for them. */
async function chooseRole(options: StartOptions): Promise<Chosen> {
  const { workers = 1 } = options;
  if (workers === 1) return { role: undefined, options };
  return (await import('./workers/open-role.js')).chooseRole(options);
}
