/** The kit for writing controllers. Users import it from `kindforge/client/node`. */
export type { Controller, ControllerParts } from '../controller.js';
export type { CacheOf, ResourceOf } from './cache.js';
export { type ControllerContext, type ControllerDefinition, defineController } from './define-controller.js';
export { ignoreNotFound } from './ignore-not-found.js';
export { type Lead, type LeaderElectionOptions, NotLeadingError, runAsLeader } from './leader-election.js';
export { type KeysInFlight, noQueueMetrics, type QueueMetrics } from './queue-metrics.js';
export {
  type ControllerState,
  type RunningControllers,
  type RunOptions,
  runControllers,
  type StartedController,
} from './run-controllers.js';
export { type Watch, type WatchChoice, watch } from './watch.js';
export { WorkQueue, type WorkQueueOptions } from './work-queue.js';
