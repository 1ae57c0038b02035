/** The health of each controller of a server, at `/healthz/<name>`. */
import type { ControllerState } from '../../controllers/kit/index.js';
import type { HealthOf } from '../../runtime/server/index.js';

/** `statesNow` is absent until controllers run. A server can do its work without one of them, so `/healthz` has none. */
export const healthOfControllers =
  (statesNow: () => ReadonlyMap<string, ControllerState> | undefined): HealthOf =>
  (name) => {
    const state = statesNow()?.get(name);
    return state && { name, problem: () => (state === 'failed' ? 'it could not go on, and is started again' : '') };
  };
