/** Runs controllers beside the server; each is a client of the API and nothing more. */
import { setMaxListeners } from 'node:events';
import type { ClientOptions } from '../client/index.js';
import type { Controller } from '../controllers/index.js';
import { sleep } from '../controllers/sleep.js';
import { builtinController, controllerNames, type Served } from './builtin-controllers.js';
import { OptionError } from './option-error.js';
import type { OnProblem } from './options.js';

/** Throws an `OptionError` where the option names a controller that there is not. */
export function checkControllers(wanted: readonly (string | Controller)[] = []): void {
  const unknown = wanted.filter((one) => typeof one === 'string' && !controllerNames.includes(one));
  if (unknown.length === 0) return;
  const said = `unknown: ${unknown.join(', ')}; use *, none, or names of: ${controllerNames.join(', ')}`;
  throw new OptionError((nameOf) => `${nameOf('controllers')}: ${said}`);
}

/** The controllers that an option asks for, of the built-in ones those whose resources are served. */
export const chooseControllers = (
  wanted: readonly (string | Controller)[] = controllerNames,
  served: Served,
): readonly Controller[] =>
  [...new Set(wanted)].flatMap((one) => (typeof one === 'string' ? (builtinController(one, served) ?? []) : [one]));

/** Pause before a controller that could not go on is started again, milliseconds. */
const restartMs = 1000;

/** A controller, and the client that it works with. */
export interface StartedController {
  readonly controller: Controller;
  readonly client: ClientOptions;
}

/** Starts controllers; the answer ends them, and resolves when they have ended. */
export function startControllers(
  started: readonly StartedController[],
  onProblem: OnProblem,
  countProblem: (controller: string) => void,
): () => Promise<void> {
  const ending = new AbortController();
  const report = (controller: string, problem: string): void => {
    countProblem(controller);
    onProblem(`${controller} controller: ${problem}`);
  };
  // A controller may have a request of every kind under way.
  setMaxListeners(0, ending.signal);
  const running = started.map((one) => keepRunning(one, ending.signal, report));
  return async () => {
    ending.abort();
    await Promise.all(running);
  };
}

async function keepRunning(
  { controller, client }: StartedController,
  signal: AbortSignal,
  report: (controller: string, problem: string) => void,
): Promise<void> {
  const onError = (about: string, error: unknown): void =>
    report(controller.name, `${about}: ${error instanceof Error ? error.message : error}`);
  while (!signal.aborted) {
    try {
      await controller.run({ client, signal, onError });
    } catch (error) {
      if (signal.aborted) return;
      onError('starts again', error);
      await sleep(restartMs, signal);
    }
  }
}
