/** Runs bootstrap hooks: once before the server is ready, and some of them again and again. */

import type { HealthCheck } from '../runtime/server/index.js';
import { type BootstrapHook, type BootstrapParts, OtherNamingError } from './bootstrap/index.js';
import { OptionError } from './option-error.js';
import type { OnProblem } from './options.js';

/** Hooks of a server. */
export interface BootstrapHooks {
  /** One check for each hook, which fails until it has run. */
  readonly checks: readonly HealthCheck[];
  /** Runs them all side by side; rejects with the error of the first to fail, in words of the options where one is wrong. */
  run(parts: BootstrapParts): Promise<void>;
  /** Counts them all as run. */
  skip(): void;
  /** From now on runs again those that do so. The answer ends that. */
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

/** A run that takes longer than the time between two is waited for; one that fails is told of and tried again. */
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
