/** Runs start hooks: once before the server is ready, and some of them again and again. */
import type { HealthCheck } from '../../../runtime/server/index.js';
import type { Circumstances, StartHook } from './start-hook.js';

/** Hooks on their way. */
export interface StartHooks {
  /** One check for each hook, which fails until it has run. */
  readonly checks: readonly HealthCheck[];
  /** Runs them all side by side; rejects with what the first to fail says. */
  run(circumstances: Circumstances): Promise<void>;
  /** From now on runs again those that do so. The answer ends that. */
  repeat(circumstances: Circumstances): () => void;
}

export function defineStartHooks(hooks: readonly StartHook[]): StartHooks {
  const done = new Set<StartHook>();
  return {
    checks: hooks.map((hook) => ({
      name: `poststarthook/${hook.name}`,
      problem: () => (done.has(hook) ? '' : 'not finished'),
    })),
    async run(circumstances) {
      await Promise.all(
        hooks.map(async (hook) => {
          await hook.run(circumstances);
          done.add(hook);
        }),
      );
    },
    repeat(circumstances) {
      const timers = hooks.flatMap((hook) => (hook.everySeconds === undefined ? [] : [again(hook, circumstances)]));
      return () => {
        for (const timer of timers) clearInterval(timer);
      };
    },
  };
}

/** A run that takes longer than the time between two is waited for; one that fails is told of and tried again. */
function again(hook: StartHook, circumstances: Circumstances): NodeJS.Timeout {
  let underWay = false;
  const run = async (): Promise<void> => {
    if (underWay) return;
    underWay = true;
    try {
      await hook.run(circumstances);
    } catch (error) {
      console.error(`kindforge: ${hook.name}:`, error instanceof Error ? error.message : error);
    } finally {
      underWay = false;
    }
  };
  return setInterval(run, (hook.everySeconds ?? 0) * 1000).unref();
}
