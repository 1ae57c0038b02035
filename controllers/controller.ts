/** A controller: a client of the API that acts on its objects. */
import type { ClientOptions, Clock, Informers } from '../client/index.js';
import type { QueueMetrics } from './kit/queue-metrics.js';

/** The arguments of a controller. */
export interface ControllerParts {
  readonly client: ClientOptions;
  /** Ends the controller. */
  readonly signal: AbortSignal;
  /** Called with errors that the controller survives. */
  readonly onError: (about: string, error: unknown) => void;
  /** Shared by the controllers of a process. */
  readonly informers: Informers;
  readonly clock: Clock;
  readonly metrics: QueueMetrics;
  /** Called when the controller knows the state of what it watches, and begins. */
  readonly onReady: () => void;
}

/** A controller by its name. */
export interface Controller {
  readonly name: string;
  /** Runs until the signal ends it. Rejects when it cannot go on; it is then started again. */
  run(parts: ControllerParts): Promise<void>;
}
