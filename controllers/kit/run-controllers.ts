/** Keeps controllers running in one process, and knows their states. */
import { type ClientOptions, type Clock, Informers, sleep, systemClock } from '../../client/index.js';
import type { Controller } from '../controller.js';
import { allowListeners } from './allow-listeners.js';
import { noQueueMetrics, type QueueMetrics } from './queue-metrics.js';

/** A controller and its client. */
export interface StartedController {
  readonly controller: Controller;
  readonly client: ClientOptions;
}

/** A controller reads its watched resources, works, or has failed and will start again soon. */
export type ControllerState = 'starting' | 'running' | 'failed';

export interface RunOptions {
  /** The client that informers read with. */
  readonly client: ClientOptions;
  /** Called with problems that do not end a controller. */
  readonly onProblem: (controller: string, problem: string) => void;
  readonly metricsOf?: (controller: string) => QueueMetrics;
  readonly clock?: Clock;
}

export interface RunningControllers {
  /** The controllers by name. */
  readonly states: ReadonlyMap<string, ControllerState>;
  /** Stops all controllers, after their work in flight. Afterwards, nothing runs. */
  stop(): Promise<void>;
}

/** Pause before a failed controller starts again, milliseconds. */
const restartMs = 1000;

/** Starts controllers, which share informers. */
export function runControllers(started: readonly StartedController[], options: RunOptions): RunningControllers {
  const { client, onProblem, clock = systemClock } = options;
  const ending = new AbortController();
  // A controller may have a request of every kind in flight.
  allowListeners(ending.signal);
  const onError = (name: string) => (about: string, error: unknown) =>
    onProblem(name, `${about}: ${error instanceof Error ? error.message : error}`);
  const informers = new Informers({ client, onError: onError('informers') });
  const states = new Map<string, ControllerState>();
  const running = started.map(async ({ controller, client: own }) => {
    const { name, run } = controller;
    const parts = {
      client: { ...own, writes: informers.writes },
      informers,
      clock,
      signal: ending.signal,
      metrics: options.metricsOf?.(name) ?? noQueueMetrics,
      onError: onError(name),
      onReady: () => void states.set(name, 'running'),
    };
    while (!ending.signal.aborted) {
      states.set(name, 'starting');
      try {
        await run.call(controller, parts);
      } catch (error) {
        if (!ending.signal.aborted) parts.onError('starts again', error);
      }
      states.set(name, 'failed');
      await sleep(restartMs, ending.signal, clock);
    }
  });
  return {
    states,
    stop: async () => {
      ending.abort();
      await Promise.all(running);
      await informers.close();
    },
  };
}
