/** Starts the controllers beside a server. Each only uses the API, as a client. */

import {
  defineCoordinatedLeases,
  defineDefinitionRegistration,
  defineFlowSchemaStatus,
  defineLegacyTokenTracking,
  definePolicyStatus,
  defineWebhookEvents,
} from '../../controllers/index.js';
import {
  type Controller,
  type ControllerState,
  type RunningControllers,
  runControllers,
} from '../../controllers/kit/index.js';
import { policyTypeWarnings } from '../../plugins/index.js';
import type { ResourceIndex } from '../../runtime/contract/index.js';
import { isApiObject } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import type { ApiServer, HealthOf } from '../../runtime/server/index.js';
import type { ServerParts } from '../server-parts.js';
import { coordinatedLease, runChosen, runChosenAsLeader, runOptions, type StartParts } from './as-leader.js';
import { chooseControllers } from './choose.js';
import type { OwnParts } from './own-parts.js';
import { showStates } from './queue-metrics.js';
import { relationControllers } from './relations.js';

/**
 * Starts the controllers that the options name, and the controllers that every server runs. The latter write the status
 * of policies and flow schemas, and register the versions of definitions. They also record when the tracking of token
 * use began, and which webhooks do not answer. Several servers over the same data may run them.
 */
export function startControllers(
  { options, naming, features, metrics, storage, calls, onProblem }: ServerParts,
  { resources, registry }: ApiServer,
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
    featureEnabled: features.featureEnabled,
    release: emulate(options.emulatedVersion),
    simulatedNodes: options.simulatedNodes,
  });
  const running = options.leaderElection ? runChosenAsLeader(chosen, parts) : runChosen(chosen, parts);
  const release = emulate(options.emulatedVersion);
  const checksPolicies = chosen.length > 0 || !release.does('statusOfPoliciesByController');
  const always = [
    ...definitionRegistration(serves, naming),
    ...(checksPolicies ? policyStatus(resources, naming, features.featureEnabled, release) : []),
    ...flowSchemaStatus(resources, naming),
    ...legacyTokenTracking(serves, naming, features.featureEnabled),
    ...(serves('', 'v1', 'events') ? [defineWebhookEvents((onChange) => calls.follow(onChange))] : []),
    ...relationControllers({ registry }, { naming, store: storage.store, serves, onProblem }),
  ];
  const alongside = runControllers(
    always.map((controller) => ({ controller, client: connect() })),
    runOptions(parts),
  );
  // As in the reference, one of the servers that share data chooses the holders of leases. It holds a lease itself.
  const coordinated = coordinatedLeases(serves, naming, features.featureEnabled).map((controller) =>
    runChosenAsLeader(
      [controller],
      { ...parts, connect: () => connect() },
      {
        name: coordinatedLease,
        ...options.coordinatedLeadership,
      },
    ),
  );
  const each = [alongside, ...coordinated, running];
  const all = {
    get states() {
      return new Map(each.flatMap(({ states }) => [...states]));
    },
    stop: async () => {
      await Promise.all(each.map((one) => one.stop()));
    },
  };
  showStates(metrics, all);
  return all;
}

// Returns the controller that reports missing priority levels in the status of flow schemas.

/** Returns the controller if the server serves flow control. */
function flowSchemaStatus(resources: ResourceIndex, naming: Naming): readonly Controller[] {
  const group = naming.rename('flowcontrol.platform.io');
  const plurals = ['flowschemas', 'prioritylevelconfigurations'];
  const version = ['v1', 'v1beta3'].find((each) => plurals.every((plural) => resources.find(group, each, plural)));
  return version === undefined ? [] : [defineFlowSchemaStatus(group, version)];
}

/** Returns the controller if the gate is on and the server serves config maps. */
function legacyTokenTracking(
  serves: (group: string, version: string, plural: string) => boolean,
  { namespaces, wellKnown }: Naming,
  featureEnabled: (gate: string) => boolean,
): readonly Controller[] {
  if (!featureEnabled('LegacyServiceAccountTokenTracking') || !serves('', 'v1', 'configmaps')) return [];
  return [defineLegacyTokenTracking({ namespace: namespaces.system, name: wellKnown.legacyTokenTracking })];
}

/** Returns the controller that chooses the holders of leases, if the gate is on and the server serves candidates. */
function coordinatedLeases(
  serves: (group: string, version: string, plural: string) => boolean,
  { rename }: Naming,
  featureEnabled: (gate: string) => boolean,
): readonly Controller[] {
  const group = rename('coordination.platform.io');
  const version = ['v1beta1', 'v1alpha2'].find((one) => serves(group, one, 'leasecandidates'));
  if (version === undefined || !serves(group, 'v1', 'leases') || !featureEnabled('CoordinatedLeaderElection'))
    return [];
  return [defineCoordinatedLeases(group, version)];
}

/** Returns the controller if the server serves both kinds. */
function definitionRegistration(
  serves: (group: string, version: string, plural: string) => boolean,
  { rename }: Naming,
): readonly Controller[] {
  const definitions = rename('apiextensions.platform.io');
  const services = rename('apiregistration.platform.io');
  if (!serves(definitions, 'v1', 'customresourcedefinitions') || !serves(services, 'v1', 'apiservices')) return [];
  return [
    defineDefinitionRegistration({ definitions, services, label: rename('kube-aggregator.platform.io/automanaged') }),
  ];
}

/** Versions of policies, the best first. */
const policyVersions = ['v1', 'v1beta1', 'v1alpha1'] as const;

/** Returns the controller if policies are enabled. */
function policyStatus(
  resources: ResourceIndex,
  naming: Naming,
  featureEnabled: (gate: string) => boolean,
  { does }: Release,
): readonly Controller[] {
  const group = naming.rename('admissionregistration.platform.io');
  const version = policyVersions.find((one) => resources.find(group, one, 'validatingadmissionpolicies'));
  if (version === undefined || !featureEnabled('ValidatingAdmissionPolicy')) return [];
  return [
    definePolicyStatus({
      group,
      version,
      warningsOf: async (policy) =>
        isApiObject(policy) ? policyTypeWarnings(policy, resources, does('laterPolicies')) : [],
    }),
  ];
}

/**
 * Checks the controllers. `statesNow` is absent until they run. The check is not part of `/healthz`, because a server
 * works without any one controller.
 */
export const healthOfControllers =
  (statesNow: () => ReadonlyMap<string, ControllerState> | undefined): HealthOf =>
  (name) => {
    const state = statesNow()?.get(name);
    return state && { name, problem: () => (state === 'failed' ? 'it failed, and is restarted' : '') };
  };
