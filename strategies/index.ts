/** The strategies of the built-in kinds: their behaviour that no schema can express, one file per kind. */
import type { Strategy } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import { defineMutatingWebhookConfigurationStrategy } from './admissionregistration.platform.io/mutatingwebhookconfigurations.js';
import { defineValidatingAdmissionPolicyStrategy } from './admissionregistration.platform.io/validatingadmissionpolicies.js';
import { defineValidatingAdmissionPolicyBindingStrategy } from './admissionregistration.platform.io/validatingadmissionpolicybindings.js';
import { defineValidatingWebhookConfigurationStrategy } from './admissionregistration.platform.io/validatingwebhookconfigurations.js';
import { defineCustomResourceDefinitionStrategy } from './apiextensions.platform.io/customresourcedefinitions.js';
import { defineAPIServiceStrategy } from './apiregistration.platform.io/apiservices.js';
import { defineControllerRevisionStrategy } from './apps/controllerrevisions.js';
import { defineDaemonSetStrategy } from './apps/daemonsets.js';
import { defineDeploymentStrategy } from './apps/deployments.js';
import { defineReplicaSetStrategy } from './apps/replicasets.js';
import { defineStatefulSetStrategy } from './apps/statefulsets.js';
import { defineHorizontalPodAutoscalerStrategy } from './autoscaling/horizontalpodautoscalers.js';
import { defineCronJobStrategy } from './batch/cronjobs.js';
import { defineJobStrategy } from './batch/jobs.js';
import { defineCertificateSigningRequestStrategy } from './certificates.platform.io/certificatesigningrequests.js';
import { defineLeaseStrategy } from './coordination.platform.io/leases.js';
import { defineConfigMapStrategy } from './core/configmaps.js';
import { defineEndpointsStrategy } from './core/endpoints.js';
import { defineEventStrategy } from './core/events.js';
import { defineLimitRangeStrategy } from './core/limitranges.js';
import { defineNamespaceStrategy } from './core/namespaces.js';
import { defineNodeStrategy } from './core/nodes.js';
import { definePersistentVolumeClaimStrategy } from './core/persistentvolumeclaims.js';
import { definePersistentVolumeStrategy } from './core/persistentvolumes.js';
import { definePodStrategy } from './core/pods.js';
import { definePodTemplateStrategy } from './core/podtemplates.js';
import { defineReplicationControllerStrategy } from './core/replicationcontrollers.js';
import { defineResourceQuotaStrategy } from './core/resourcequotas.js';
import { defineSecretStrategy } from './core/secrets.js';
import { defineServiceAccountStrategy } from './core/serviceaccounts.js';
import { defaultServiceRanges, type ServiceRanges } from './core/services/ranges.js';
import { defineServiceStrategy } from './core/services.js';
import { defineEndpointSliceStrategy } from './discovery.platform.io/endpointslices.js';
import { defineEventsV1Strategy } from './events.platform.io/events.js';
import { defineFlowSchemaStrategy } from './flowcontrol.apiserver.platform.io/flowschemas.js';
import { definePriorityLevelConfigurationStrategy } from './flowcontrol.apiserver.platform.io/prioritylevelconfigurations.js';
import { defineStorageVersionStrategy } from './internal.apiserver.platform.io/storageversions.js';
import { defineClusterCIDRStrategy } from './networking.platform.io/clustercidrs.js';
import { defineIngressClassStrategy } from './networking.platform.io/ingressclasses.js';
import { defineIngressStrategy } from './networking.platform.io/ingresses.js';
import { defineIPAddressStrategy } from './networking.platform.io/ipaddresses.js';
import { defineNetworkPolicyStrategy } from './networking.platform.io/networkpolicies.js';
import { defineRuntimeClassStrategy } from './node.platform.io/runtimeclasses.js';
import { definePodDisruptionBudgetStrategy } from './policy/poddisruptionbudgets.js';
import { defineClusterRoleBindingStrategy } from './rbac.authorization.platform.io/clusterrolebindings.js';
import { defineClusterRoleStrategy } from './rbac.authorization.platform.io/clusterroles.js';
import { defineRoleBindingStrategy } from './rbac.authorization.platform.io/rolebindings.js';
import { defineRoleStrategy } from './rbac.authorization.platform.io/roles.js';
import { definePodSchedulingContextStrategy } from './resource.platform.io/podschedulingcontexts.js';
import { defineResourceClaimStrategy } from './resource.platform.io/resourceclaims.js';
import { defineResourceClaimTemplateStrategy } from './resource.platform.io/resourceclaimtemplates.js';
import { defineResourceClassStrategy } from './resource.platform.io/resourceclasses.js';
import { definePriorityClassStrategy } from './scheduling.platform.io/priorityclasses.js';
import { defineCSIDriverStrategy } from './storage.platform.io/csidrivers.js';
import { defineCSINodeStrategy } from './storage.platform.io/csinodes.js';
import { defineCSIStorageCapacityStrategy } from './storage.platform.io/csistoragecapacities.js';
import { defineStorageClassStrategy } from './storage.platform.io/storageclasses.js';
import { defineVolumeAttachmentStrategy } from './storage.platform.io/volumeattachments.js';
import { defineStorageVersionMigrationStrategy } from './storagemigration.platform.io/storageversionmigrations.js';

export { conversions } from './conversions.js';
export { addressRecords, addressRecordsGate } from './core/services/address-records.js';
export { addressesHeld } from './core/services/allocation.js';
export { defaultServiceRanges, type ServiceRanges } from './core/services/ranges.js';
export { type Component, type HandlerParts, type TokenIssuer, virtualHandlers } from './virtual.js';

/** Settings of the cluster that some strategies depend on. */
export interface StrategySettings {
  readonly serviceRanges: ServiceRanges;
  /** Rules of definitions may use the functions of this release alone. */
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
    defineEventsV1Strategy(names),
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
    defineStorageVersionMigrationStrategy(),
    defineStorageVersionStrategy(),
    defineValidatingAdmissionPolicyBindingStrategy(),
    defineValidatingAdmissionPolicyStrategy(),
    defineValidatingWebhookConfigurationStrategy(),
    defineVolumeAttachmentStrategy(names),
  ];
}
