/** Starts the controllers of a server beside it; each is a client of the API and nothing more. */
import { type RunningControllers, runControllers } from '../../controllers/kit/index.js';
import type { ApiServer } from '../../runtime/server/index.js';
import type { ServerParts } from '../assemble-server.js';
import { runChosen, runChosenAsLeader, runOptions, type StartParts } from './as-leader.js';
import { chooseControllers } from './choose.js';
import { definitionRegistration } from './definition-registration.js';
import { flowSchemaStatus } from './flow-schema-status.js';
import { legacyTokenTracking } from './legacy-token-tracking.js';
import type { OwnParts } from './own-parts.js';
import { policyStatus } from './policy-status.js';
import { showStates } from './queue-metrics.js';

/**
 * Starts the controllers that the options name, and those that are part of every server: they write the status of
 * policies and of flow schemas, register the versions of definitions, and say since when uses of tokens are noted.
 * Several servers over the same data agree on these.
 */
export function startControllers(
  { options, naming, features, metrics, onProblem }: ServerParts,
  { resources }: ApiServer,
  connect: StartParts['connect'],
  own: OwnParts,
): RunningControllers {
  const parts = { naming, metrics, clock: options.clock, onProblem, connect };
  const serves = (group: string, version: string, plural: string): boolean =>
    resources.find(group, version, plural) !== undefined;
  const chosen = chooseControllers(options.controllers, {
    serves,
    naming,
    own,
    simulatedNodes: options.simulatedNodes,
  });
  const running = options.leaderElection ? runChosenAsLeader(chosen, parts) : runChosen(chosen, parts);
  const always = [
    ...definitionRegistration(serves, naming),
    ...policyStatus(resources, naming, features.featureEnabled),
    ...flowSchemaStatus(resources, naming),
    ...legacyTokenTracking(serves, naming, features.featureEnabled),
  ];
  const alongside = runControllers(
    always.map((controller) => ({ controller, client: connect() })),
    runOptions(parts),
  );
  const all = {
    get states() {
      return new Map([...alongside.states, ...running.states]);
    },
    stop: async () => {
      await Promise.all([running.stop(), alongside.stop()]);
    },
  };
  showStates(metrics, all);
  return all;
}
