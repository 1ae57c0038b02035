/** Starts controllers in this process, always or only while it holds a lease. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type ClientOptions, guardWrites } from '../../client/index.js';
import {
  type Controller,
  type RunningControllers,
  type RunOptions,
  runAsLeader,
  runControllers,
} from '../../controllers/kit/index.js';
import type { Clock } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { type Metrics, metricTable } from '../../runtime/server/index.js';
import type { LeaseTimes } from '../options.js';
import { countControllerProblem, queueMetrics } from './queue-metrics.js';

export interface StartParts {
  readonly naming: Naming;
  readonly metrics: Metrics;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  readonly onProblem: (problem: string) => void;
  /** Makes a client with a user agent. Default: a client of the server or the process. */
  readonly connect: (agent?: string) => ClientOptions;
}

/** A lease in the system namespace, and its times. */
export interface LeaseOfLeader extends LeaseTimes {
  readonly name: string;
}

/** The lease for the controllers that the options name. */
const chosenLease: LeaseOfLeader = { name: 'kindforge-controllers' };

/** The lease for the controller that chooses the holders of coordinated leases. */
export const coordinatedLease = 'leader-election-controller';

/** Returns the parts that all controllers of the process share. */
export const runOptions = ({ metrics, clock, onProblem, connect }: StartParts): RunOptions => ({
  client: connect(),
  ...(clock ? { clock } : {}),
  metricsOf: (name) => queueMetrics(metrics, name),
  onProblem: (name, problem) => {
    countControllerProblem(metrics, name);
    onProblem(`${name} controller: ${problem}`);
  },
});

/** Runs the controllers, each with its own client. */
export const runChosen = (controllers: readonly Controller[], parts: StartParts): RunningControllers =>
  runControllers(startedOf(controllers, parts), runOptions(parts));

/** Runs the controllers while this process leads; their writes check the lease once more. */
export function runChosenAsLeader(
  controllers: readonly Controller[],
  parts: StartParts,
  lease = chosenLease,
): RunningControllers {
  const { naming, metrics, clock, onProblem, connect } = parts;
  const leading = metrics.number(metricTable.controllers.metrics.leading).with(lease.name);
  return runAsLeader(
    {
      client: connect('leader-election'),
      group: naming.rename('coordination.platform.io'),
      namespace: naming.namespaces.system,
      ...lease,
      ...(clock ? { clock } : {}),
      identity: `${hostname()}_${process.pid}_${randomUUID()}`,
      onError: (error) => onProblem(`leader election: ${error instanceof Error ? error.message : error}`),
      onLeading: (isLeading) => {
        leading.value = isLeading ? 1 : 0;
      },
    },
    (check) => runChosen(controllers, { ...parts, connect: (agent) => guardWrites(connect(agent), check) }),
  );
}

const startedOf = (controllers: readonly Controller[], { connect }: StartParts) =>
  controllers.map((controller) => ({ controller, client: connect(`${controller.name}-controller`) }));
