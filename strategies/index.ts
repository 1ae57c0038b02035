/** What single kinds do that no schema can say, one file per kind. */
import type { Strategy } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import { defineAPIServiceStrategy } from './api-service.js';
import { defineCertificateSigningRequestStrategy } from './certificate-signing-request.js';
import { defineClusterCIDRStrategy } from './cluster-cidr.js';
import { defineClusterRoleStrategy } from './cluster-role.js';
import { defineClusterRoleBindingStrategy } from './cluster-role-binding.js';
import { defineConfigMapStrategy } from './config-map.js';
import { defineControllerRevisionStrategy } from './controller-revision.js';
import { defineCronJobStrategy } from './cron-job.js';
import { defineCSIDriverStrategy } from './csi-driver.js';
import { defineCSINodeStrategy } from './csi-node.js';
import { defineCSIStorageCapacityStrategy } from './csi-storage-capacity.js';
import { defineCustomResourceDefinitionStrategy } from './custom-resource-definition.js';
import { defineDaemonSetStrategy } from './daemon-set.js';
import { defineDeploymentStrategy } from './deployment.js';
import { defineEndpointSliceStrategy } from './endpoint-slice.js';
import { defineEndpointsStrategy } from './endpoints.js';
import { defineEventStrategy } from './event.js';
import { defineFlowSchemaStrategy } from './flow-schema.js';
import { defineHorizontalPodAutoscalerStrategy } from './horizontal-pod-autoscaler.js';
import { defineIngressStrategy } from './ingress.js';
import { defineIngressClassStrategy } from './ingress-class.js';
import { defineIPAddressStrategy } from './ip-address.js';
import { defineJobStrategy } from './job.js';
import { defineLeaseStrategy } from './lease.js';
import { defineLimitRangeStrategy } from './limit-range.js';
import { defineMutatingWebhookConfigurationStrategy } from './mutating-webhook-configuration.js';
import { defineNamespaceStrategy } from './namespace.js';
import { defineNetworkPolicyStrategy } from './network-policy.js';
import { defineNewerEventStrategy } from './newer-event.js';
import { defineNodeStrategy } from './node.js';
import { definePersistentVolumeStrategy } from './persistent-volume.js';
import { definePersistentVolumeClaimStrategy } from './persistent-volume-claim.js';
import { definePodStrategy } from './pod.js';
import { definePodDisruptionBudgetStrategy } from './pod-disruption-budget.js';
import { definePodSchedulingContextStrategy } from './pod-scheduling-context.js';
import { definePodTemplateStrategy } from './pod-template.js';
import { definePriorityClassStrategy } from './priority-class.js';
import { definePriorityLevelConfigurationStrategy } from './priority-level-configuration.js';
import { defineReplicaSetStrategy } from './replica-set.js';
import { defineReplicationControllerStrategy } from './replication-controller.js';
import { defineResourceClaimStrategy } from './resource-claim.js';
import { defineResourceClaimTemplateStrategy } from './resource-claim-template.js';
import { defineResourceClassStrategy } from './resource-class.js';
import { defineResourceQuotaStrategy } from './resource-quota.js';
import { defineRoleStrategy } from './role.js';
import { defineRoleBindingStrategy } from './role-binding.js';
import { defineRuntimeClassStrategy } from './runtime-class.js';
import { defineSecretStrategy } from './secret.js';
import { defaultServiceRanges, type ServiceRanges } from './service/ranges.js';
import { defineServiceStrategy } from './service.js';
import { defineServiceAccountStrategy } from './service-account.js';
import { defineStatefulSetStrategy } from './stateful-set.js';
import { defineStorageClassStrategy } from './storage-class.js';
import { defineStorageVersionStrategy } from './storage-version.js';
import { defineValidatingAdmissionPolicyStrategy } from './validating-admission-policy.js';
import { defineValidatingAdmissionPolicyBindingStrategy } from './validating-admission-policy-binding.js';
import { defineValidatingWebhookConfigurationStrategy } from './validating-webhook-configuration.js';
import { defineVolumeAttachmentStrategy } from './volume-attachment.js';

export { conversions } from './conversions/index.js';
export { addressRecords, addressRecordsGate } from './service/address-records.js';
export { addressesHeld } from './service/allocation.js';
export { defaultServiceRanges, type ServiceRanges } from './service/ranges.js';
export { type Component, type HandlerParts, type TokenIssuer, virtualHandlers } from './virtual/index.js';

/** What the strategies of some kinds are told of the cluster. */
export interface StrategySettings {
  readonly serviceRanges: ServiceRanges;
  /** Rules of definitions may use what this release has, and no more. */
  readonly emulatedVersion?: '1.27' | undefined;
}

const defaultSettings: StrategySettings = { serviceRanges: defaultServiceRanges };

/** The strategies of the built-in kinds, under the names that are served. */
export function strategies(names: Naming, settings: StrategySettings = defaultSettings): readonly Strategy[] {
  return platformStrategies(names, settings).map((strategy) => ({
    ...strategy,
    kind: servedKind(names, strategy.kind),
  }));
}

/** Each strategy names its own kind as the platform does. */
function servedKind(names: Naming, platformKind: string): string {
  const [group = '', kind] = platformKind.split('/');
  return kind === undefined ? platformKind : `${names.rename(group)}/${kind}`;
}

function platformStrategies(names: Naming, { serviceRanges, emulatedVersion }: StrategySettings): readonly Strategy[] {
  return [
    defineAPIServiceStrategy(),
    defineCertificateSigningRequestStrategy(names),
    defineClusterCIDRStrategy(),
    defineClusterRoleBindingStrategy(names),
    defineClusterRoleStrategy(),
    defineConfigMapStrategy(),
    defineControllerRevisionStrategy(),
    defineCronJobStrategy(names),
    defineCSIDriverStrategy(),
    defineCSINodeStrategy(),
    defineCSIStorageCapacityStrategy(names),
    defineCustomResourceDefinitionStrategy(names, { emulatedVersion }),
    defineDaemonSetStrategy(names),
    defineDeploymentStrategy(names),
    defineEndpointSliceStrategy(),
    defineEndpointsStrategy(),
    defineEventStrategy(names),
    defineFlowSchemaStrategy(),
    defineHorizontalPodAutoscalerStrategy(),
    defineIngressClassStrategy(),
    defineIngressStrategy(names),
    defineIPAddressStrategy(),
    defineJobStrategy(names),
    defineLeaseStrategy(),
    defineLimitRangeStrategy(names),
    defineMutatingWebhookConfigurationStrategy(),
    defineNamespaceStrategy(names),
    defineNetworkPolicyStrategy(),
    defineNewerEventStrategy(names),
    defineNodeStrategy(names),
    definePersistentVolumeClaimStrategy(names),
    definePersistentVolumeStrategy(names),
    definePodDisruptionBudgetStrategy(),
    definePodSchedulingContextStrategy(),
    definePodStrategy(names),
    definePodTemplateStrategy(names),
    definePriorityClassStrategy(),
    definePriorityLevelConfigurationStrategy(),
    defineReplicaSetStrategy(names),
    defineReplicationControllerStrategy(names),
    defineResourceClaimStrategy(),
    defineResourceClaimTemplateStrategy(),
    defineResourceClassStrategy(),
    defineResourceQuotaStrategy(names),
    defineRoleBindingStrategy(names),
    defineRoleStrategy(),
    defineRuntimeClassStrategy(names),
    defineSecretStrategy(names),
    defineServiceAccountStrategy(),
    defineServiceStrategy(names, serviceRanges),
    defineStatefulSetStrategy(names),
    defineStorageClassStrategy(names),
    defineStorageVersionStrategy(),
    defineValidatingAdmissionPolicyBindingStrategy(),
    defineValidatingAdmissionPolicyStrategy(),
    defineValidatingWebhookConfigurationStrategy(),
    defineVolumeAttachmentStrategy(names),
  ];
}
