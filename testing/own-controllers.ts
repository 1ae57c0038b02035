/** Runs controllers of a test as clients of its server. */
import type { ClientOptions } from '../client/index.js';
import { type Controller, type RunningControllers, runControllers } from '../controllers/kit/index.js';
import type { Clock } from '../runtime/contract/index.js';
import type { OnProblem } from '../server/index.js';

export interface OwnControllers {
  /**
   * Runs a controller. Resolves once it has read the objects that it watches. Rejects if it fails before that. The
   * returned function stops it.
   */
  run(controller: Controller): Promise<() => Promise<void>>;
  /** Keeps the controllers that run now until all are stopped. */
  keep(): void;
  /** Stops the controllers that are not kept. */
  stopOthers(): Promise<void>;
  stop(): Promise<void>;
}

export interface ControllerSurroundings {
  /** Returns a client. The server records its requests under the name. */
  readonly connect: (agent: string) => ClientOptions;
  readonly clock: Clock;
  readonly onProblem: OnProblem;
}

export function defineOwnControllers({ connect, clock, onProblem }: ControllerSurroundings): OwnControllers {
  const running = new Set<RunningControllers>();
  let kept: ReadonlySet<RunningControllers> = new Set();
  const end = async (one: RunningControllers): Promise<void> => {
    running.delete(one);
    await one.stop();
  };
  return {
    async run(controller) {
      const { told, begun } = tellingWhenBegun(controller);
      const client = connect(`${controller.name}-controller`);
      const one = runControllers([{ controller: told, client }], {
        client,
        clock,
        onProblem: (name, problem) => onProblem(`${name} controller: ${problem}`),
      });
      running.add(one);
      await begun.catch(async (error: unknown) => {
        await end(one);
        throw error;
      });
      return () => end(one);
    },
    keep() {
      kept = new Set(running);
    },
    async stopOthers() {
      await Promise.all([...running].filter((one) => !kept.has(one)).map(end));
    },
    async stop() {
      await Promise.all([...running].map(end));
    },
  };
}

/** Returns the same controller, and a promise that settles once it has started or failed. */
function tellingWhenBegun({ name, run }: Controller): { readonly told: Controller; readonly begun: Promise<void> } {
  let settle = (_error?: unknown): void => {};
  const begun = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error));
  });
  const told: Controller = {
    name,
    async run(parts) {
      const onReady = (): void => {
        parts.onReady();
        settle();
      };
      try {
        await run.call(told, { ...parts, onReady });
        settle();
      } catch (error) {
        settle(error ?? new Error(`the controller ${name} could not continue`));
        throw error;
      }
    },
  };
  return { told, begun };
}
