/** Runs bootstrap hooks: once before the server is ready, and some of them again and again. */

import type { HealthCheck } from '../runtime/server/index.js';
import { type BootstrapHook, type BootstrapParts, OtherNamingError } from './bootstrap/index.js';
import { OptionError } from './option-error.js';
import type { OnProblem } from './options.js';

/** Hooks of a server. */
export interface BootstrapHooks {
  /** One check for each hook, which fails until it has run. */
  readonly checks: readonly HealthCheck[];
  /** Runs all hooks concurrently. Rejects with the first error; if an option is wrong, the error names it. */
  run(parts: BootstrapParts): Promise<void>;
  /** Counts them all as run. */
  skip(): void;
  /** Repeats the periodic hooks from now on. Returns a function that stops them. */
  repeat(parts: BootstrapParts, onProblem: OnProblem): () => void;
}

export function defineHooks(hooks: readonly BootstrapHook[]): BootstrapHooks {
  const done = new Set<BootstrapHook>();
  return {
    checks: hooks.map((hook) => ({
      name: `poststarthook/${hook.name}`,
      problem: () => (done.has(hook) ? '' : 'not finished'),
    })),
    async run(parts) {
      await Promise.all(
        hooks.map(async (hook) => {
          await hook.run(parts).catch(rejectInOptions);
          done.add(hook);
        }),
      );
    },
    skip() {
      for (const hook of hooks) done.add(hook);
    },
    repeat(parts, onProblem) {
      const timers = hooks.flatMap((hook) =>
        hook.everySeconds === undefined ? [] : [again(hook, hook.everySeconds, parts, onProblem)],
      );
      return () => {
        for (const timer of timers) clearInterval(timer);
      };
    },
  };
}

/** Repeats a hook. A run that takes longer than the interval is waited for; a failed run is reported and retried. */
function again(hook: BootstrapHook, seconds: number, parts: BootstrapParts, onProblem: OnProblem): NodeJS.Timeout {
  let underWay = false;
  const run = async (): Promise<void> => {
    if (underWay) return;
    underWay = true;
    try {
      await hook.run(parts);
    } catch (error) {
      onProblem(`${hook.name}: ${error instanceof Error ? error.message : error}`);
    } finally {
      underWay = false;
    }
  };
  return setInterval(run, seconds * 1000).unref();
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
