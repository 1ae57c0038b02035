/** Runs bootstrap hooks: once before the server is ready, and some of them again and again. */

import { ApiError } from '../client/index.js';
import type { HealthCheck } from '../runtime/server/index.js';
import { type BootstrapHook, type BootstrapParts, OtherNamingError } from './bootstrap/index.js';
import { OptionError } from './option-error.js';
import type { OnProblem } from './options.js';

/** Hooks of a server. */
export interface BootstrapHooks {
  /** One check for each hook, which fails until it has run. */
  readonly checks: readonly HealthCheck[];
  /**
   * Runs concurrently all hooks that do not count as run. Rejects with the first error; if an option is wrong, the
   * error names it. If a hook fails because of storage, and there is an `onLater`, reports the failure there instead;
   * `repeat` then retries the hook.
   */
  run(parts: BootstrapParts, onLater?: OnProblem): Promise<void>;
  /** Counts hooks as run: all of them, or, without `all`, only hooks that do not describe the server. */
  skip(all?: boolean): void;
  /** Repeats the periodic hooks, and the hooks that have not run yet. Returns a function that stops them. */
  repeat(parts: BootstrapParts, onProblem: OnProblem): () => void;
}

/** Seconds until the retry of a hook that failed because of storage. */
const retrySeconds = 5;

export function defineHooks(hooks: readonly BootstrapHook[]): BootstrapHooks {
  const done = new Set<BootstrapHook>();
  const run = async (hook: BootstrapHook, parts: BootstrapParts): Promise<void> => {
    await hook.run(parts).catch(rejectInOptions);
    done.add(hook);
  };
  const secondsUntilNext = (hook: BootstrapHook): number | undefined =>
    done.has(hook) ? hook.everySeconds : Math.min(retrySeconds, hook.everySeconds ?? retrySeconds);
  return {
    checks: hooks.map((hook) => ({
      name: `poststarthook/${hook.name}`,
      problem: () => (done.has(hook) ? '' : 'not finished'),
    })),
    async run(parts, onLater) {
      await Promise.all(
        hooks.map(async (hook) => {
          if (done.has(hook)) return;
          try {
            await run(hook, parts);
          } catch (error) {
            if (hook.describesServer) done.add(hook);
            else if (!onLater || !isFailedByStorage(error)) throw error;
            onLater?.(problemOf(hook, error));
          }
        }),
      );
    },
    skip(all = false) {
      for (const hook of hooks) if (all || !hook.describesServer) done.add(hook);
    },
    repeat(parts, onProblem) {
      const endings = hooks.map((hook) =>
        again(
          () => run(hook, parts),
          () => secondsUntilNext(hook),
          (error) => onProblem(problemOf(hook, error)),
        ),
      );
      return () => {
        for (const end of endings) end();
      };
    },
  };
}

/** Recognizes an answer of a server that cannot store at present: its disk is full, or etcd does not answer. */
const isFailedByStorage = (error: unknown): boolean => error instanceof ApiError && error.code >= 500;

const problemOf = ({ name }: BootstrapHook, error: unknown): string =>
  `${name}: ${error instanceof Error ? error.message : error}`;

/**
 * Runs again and again, with a pause before each run, until `nextPause` returns `undefined`. Returns a function that
 * stops it.
 */
function again(
  run: () => Promise<void>,
  nextPause: () => number | undefined,
  onError: (error: unknown) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const schedule = (): void => {
    const seconds = nextPause();
    if (seconds !== undefined && !isOver) timer = setTimeout(next, seconds * 1000).unref();
  };
  const next = (): void => {
    run().catch(onError).finally(schedule);
  };
  schedule();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

function rejectInOptions(error: unknown): never {
  if (!(error instanceof OtherNamingError)) throw error;
  const { naming } = error;
  throw new OptionError(
    (nameOf) =>
      `the data was written under ${nameOf('naming')} ${naming}; serve it so, or choose another ${nameOf('storage')}`,
    { cause: error },
  );
}
