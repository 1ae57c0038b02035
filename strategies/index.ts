/** What single kinds do that no schema can say, one file per kind. */
import type { Strategy } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import { defineCertificateSigningRequestStrategy } from './certificate-signing-request.js';
import { defineConfigMapStrategy } from './config-map.js';
import { defineControllerRevisionStrategy } from './controller-revision.js';
import { defineCronJobStrategy } from './cron-job.js';
import { defineCSIDriverStrategy } from './csi-driver.js';
import { defineDaemonSetStrategy } from './daemon-set.js';
import { defineDeploymentStrategy } from './deployment.js';
import { defineEventStrategy } from './event.js';
import { defineHorizontalPodAutoscalerStrategy } from './horizontal-pod-autoscaler.js';
import { defineIPAddressStrategy } from './ip-address.js';
import { defineJobStrategy } from './job.js';
import { defineLeaseStrategy } from './lease.js';
import { defineNamespaceStrategy } from './namespace.js';
import { definePodStrategy } from './pod.js';
import { definePodDisruptionBudgetStrategy } from './pod-disruption-budget.js';
import { definePodSchedulingContextStrategy } from './pod-scheduling-context.js';
import { definePodTemplateStrategy } from './pod-template.js';
import { defineReplicaSetStrategy } from './replica-set.js';
import { defineReplicationControllerStrategy } from './replication-controller.js';
import { defineSecretStrategy } from './secret.js';
import { defineServiceAccountStrategy } from './service-account.js';
import { defineStatefulSetStrategy } from './stateful-set.js';

export { type Component, type HandlerParts, type TokenIssuer, virtualHandlers } from './virtual/index.js';

/** The strategies of the built-in kinds, under the names that are served. */
export function strategies(names: Naming): readonly Strategy[] {
  return platformStrategies(names).map((strategy) => ({ ...strategy, kind: servedKind(names, strategy.kind) }));
}

/** Each strategy names its own kind as the platform does. */
function servedKind(names: Naming, platformKind: string): string {
  const [group = '', kind] = platformKind.split('/');
  return kind === undefined ? platformKind : `${names.rename(group)}/${kind}`;
}

function platformStrategies(names: Naming): readonly Strategy[] {
  return [
    defineCertificateSigningRequestStrategy(names),
    defineConfigMapStrategy(),
    defineControllerRevisionStrategy(),
    defineCronJobStrategy(names),
    defineCSIDriverStrategy(),
    defineDaemonSetStrategy(names),
    defineDeploymentStrategy(names),
    defineEventStrategy(names),
    defineHorizontalPodAutoscalerStrategy(),
    defineIPAddressStrategy(),
    defineJobStrategy(names),
    defineLeaseStrategy(),
    defineNamespaceStrategy(names),
    definePodDisruptionBudgetStrategy(),
    definePodSchedulingContextStrategy(),
    definePodStrategy(names),
    definePodTemplateStrategy(names),
    defineReplicaSetStrategy(names),
    defineReplicationControllerStrategy(names),
    defineSecretStrategy(names),
    defineServiceAccountStrategy(),
    defineStatefulSetStrategy(names),
  ];
}
