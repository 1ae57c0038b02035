/** Starts the controllers of a server beside it; each is a client of the API and nothing more. */
import type { ClientOptions } from '../../client/index.js';
import { type RunningControllers, runControllers } from '../../controllers/index.js';
import type { ApiServer } from '../../runtime/server/index.js';
import type { ServerParts } from '../assemble-server.js';
import { chooseControllers } from './choose.js';
import { flowSchemaStatus } from './flow-schema-status.js';
import { policyStatus } from './policy-status.js';
import { countControllerProblem, queueMetrics } from './queue-metrics.js';

/**
 * Starts the controllers that the options name, and those that write the status of policies and of flow schemas. `connect`
 * makes a client whose writes are recorded under a name, that of the server where none is given.
 */
export function startControllers(
  { options, naming, features, metrics, onProblem }: ServerParts,
  { resources }: ApiServer,
  connect: (agent?: string) => ClientOptions,
): RunningControllers {
  const chosen = chooseControllers(options.controllers, { resources, naming, simulatedNodes: options.simulatedNodes });
  const statusWriters = [
    ...policyStatus(resources, naming, features.featureEnabled),
    ...flowSchemaStatus(resources, naming),
  ];
  const started = [
    ...chosen.map((controller) => ({ controller, client: connect(`${controller.name}-controller`) })),
    ...statusWriters.map((controller) => ({ controller, client: connect() })),
  ];
  return runControllers(started, {
    client: connect(),
    metricsOf: (name) => queueMetrics(metrics, name),
    onProblem: (name, problem) => {
      countControllerProblem(metrics, name);
      onProblem(`${name} controller: ${problem}`);
    },
  });
}
