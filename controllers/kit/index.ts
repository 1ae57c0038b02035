/** The kit for writing controllers. Users import it from `kindforge/client/node`. */
// The helpers of the SDK that controllers use most, so that they need one import.
export { ensureFinalizer, patchStatus, removeFinalizer, setCondition, setOwner } from '../../client/index.js';
export type { Controller, ControllerParts } from '../controller.js';
export type { CacheOf, ResourceOf } from './cache.js';
export {
  type ClientOfResources,
  type ControllerContext,
  type ControllerDefinition,
  defineController,
  type Reconciled,
  type Requeue,
  requeueAfter,
} from './define-controller.js';
export { ignoreNotFound } from './ignore-not-found.js';
export { type Lead, type LeaderElectionOptions, NotLeadingError, runAsLeader } from './leader-election.js';
export {
  allOf,
  annotationsChanged,
  anyOf,
  fieldChanged,
  generationChanged,
  labelsChanged,
  type Predicate,
} from './predicates.js';
export { type KeysInFlight, noQueueMetrics, type QueueMetrics } from './queue-metrics.js';
export {
  type ControllerState,
  type RunningControllers,
  type RunOptions,
  runControllers,
  type StartedController,
} from './run-controllers.js';
export { forEachOwned, type Watch, type WatchChoice, watch, watchOwned } from './watch.js';
export { type RetryLimits, WorkQueue, type WorkQueueOptions } from './work-queue.js';
