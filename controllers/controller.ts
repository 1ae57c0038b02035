/** A controller: a client of the API that acts on its objects. */
import type { ClientOptions, Clock, Informers } from '../client/index.js';
import type { QueueMetrics } from './kit/queue-metrics.js';

/** The clients and the clock that a controller gets when it runs. */
export interface ControllerParts {
  readonly client: ClientOptions;
  /** Stops the controller. */
  readonly signal: AbortSignal;
  /** Called with errors that do not end the controller. */
  readonly onError: (about: string, error: unknown) => void;
  /** Shared by the controllers of a process. */
  readonly informers: Informers;
  readonly clock: Clock;
  readonly metrics: QueueMetrics;
  /** Called when the controller has read its watched resources, and starts to work. */
  readonly onReady: () => void;
}

/** A resource in the version in which a controller sees its objects. */
export interface FollowedVersion {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** A named controller. */
export interface Controller {
  readonly name: string;
  /** The resources that it watches, each in one version. Default: unknown. */
  readonly follows?: readonly FollowedVersion[];
  /** Runs until the signal is aborted. Rejects if it cannot continue; then the caller starts it again. */
  run(parts: ControllerParts): Promise<void>;
}
