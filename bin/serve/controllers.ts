/** Runs controllers beside the server; each is a client of the API and nothing more. */
import { setMaxListeners } from 'node:events';
import type { ClientOptions } from '../../client/index.js';
import { runNamespaceController } from '../../controllers/namespace.js';
import { sleep } from '../../controllers/sleep.js';
import type { Result } from '../../runtime/contract/index.js';
import { badRequest } from '../../runtime/objects/status.js';

/** What a controller is run with. */
interface Circumstances {
  readonly client: ClientOptions;
  /** Ends the controller. */
  readonly signal: AbortSignal;
  /** Told of what went wrong while it goes on. */
  readonly onError: (about: string, error: unknown) => void;
}

/** Controllers by name. Each runs until its signal ends it, and rejects when it cannot go on. */
const controllers: Readonly<Record<string, (circumstances: Circumstances) => Promise<void>>> = {
  namespace: runNamespaceController,
};

/** Pause before a controller that could not go on is started again, milliseconds. */
const restartMs = 1000;

/** The controllers that a flag names: `*` for all, `none` or nothing for none, or names with commas between. */
export function readControllers(text: string): Result<readonly string[]> {
  const known = Object.keys(controllers);
  if (text === '*') return { ok: true, value: known };
  if (text === '' || text === 'none') return { ok: true, value: [] };
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return { ok: true, value: [...new Set(names)] };
  return { ok: false, failure: badRequest(`unknown: ${unknown.join(', ')}; say *, none, or of: ${known.join(', ')}`) };
}

/** Starts controllers; the answer ends them, and resolves when they have ended. */
export function startControllers(
  names: readonly string[],
  connect: (agent: string) => ClientOptions,
): () => Promise<void> {
  const ending = new AbortController();
  // A controller may have a request of every kind under way.
  setMaxListeners(0, ending.signal);
  const running = names.map((name) => keepRunning(name, connect(`${name}-controller`), ending.signal));
  return async () => {
    ending.abort();
    await Promise.all(running);
  };
}

async function keepRunning(name: string, client: ClientOptions, signal: AbortSignal): Promise<void> {
  const complain = (what: string, error: unknown): void =>
    console.error(`kindforge: ${name} controller: ${what}:`, error instanceof Error ? error.message : error);
  while (!signal.aborted) {
    try {
      await controllers[name]?.({ client, signal, onError: complain });
    } catch (error) {
      if (signal.aborted) return;
      complain('starts again', error);
      await sleep(restartMs, signal);
    }
  }
}
