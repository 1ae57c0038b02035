/** The handlers of the built-in kinds, one file per kind. */

import type { KindHandlers, NamedConversion } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import { emulate, type Release } from '../runtime/objects/release.js';
import { defineMutatingAdmissionPolicies } from './admissionregistration.platform.io/mutatingadmissionpolicies.js';
import { defineMutatingAdmissionPolicyBindings } from './admissionregistration.platform.io/mutatingadmissionpolicybindings.js';
import { defineMutatingWebhookConfigurations } from './admissionregistration.platform.io/mutatingwebhookconfigurations.js';
import { defineValidatingAdmissionPolicies } from './admissionregistration.platform.io/validatingadmissionpolicies.js';
import { defineValidatingAdmissionPolicyBindings } from './admissionregistration.platform.io/validatingadmissionpolicybindings.js';
import { defineValidatingWebhookConfigurations } from './admissionregistration.platform.io/validatingwebhookconfigurations.js';
import { defineCustomResourceDefinitions } from './apiextensions.platform.io/customresourcedefinitions.js';
import { definitionVersions } from './apiextensions.platform.io/definition-versions.js';
import { defineAPIServices } from './apiregistration.platform.io/apiservices.js';
import { defineControllerRevisions } from './apps/controllerrevisions.js';
import { defineDaemonSets } from './apps/daemonsets.js';
import { defineDeployments } from './apps/deployments.js';
import { defineReplicaSets } from './apps/replicasets.js';
import { defineStatefulSets } from './apps/statefulsets.js';
import { selectorFromTemplate } from './apps/workloads.js';
import { defineHorizontalPodAutoscalers } from './autoscaling/horizontalpodautoscalers.js';
import { defineCronJobs } from './batch/cronjobs.js';
import { defineJobs } from './batch/jobs.js';
import { defineCertificateSigningRequests } from './certificates.platform.io/certificatesigningrequests.js';
import { defineClusterTrustBundles } from './certificates.platform.io/clustertrustbundles.js';
import { definePodCertificateRequests } from './certificates.platform.io/podcertificaterequests.js';
import { defineLeaseCandidates } from './coordination.platform.io/leasecandidates.js';
import { defineLeases } from './coordination.platform.io/leases.js';
import { defineConfigMaps } from './core/configmaps.js';
import { defineEndpoints } from './core/endpoints.js';
import { defineEvents } from './core/events.js';
import { defineLimitRanges } from './core/limitranges.js';
import { defineNamespaces } from './core/namespaces.js';
import { defineNodes } from './core/nodes.js';
import { definePersistentVolumeClaims } from './core/persistentvolumeclaims.js';
import { definePersistentVolumes } from './core/persistentvolumes.js';
import { definePods } from './core/pods.js';
import { definePodTemplates } from './core/podtemplates.js';
import { defineReplicationControllers } from './core/replicationcontrollers.js';
import { defineResourceQuotas } from './core/resourcequotas.js';
import { defineSecrets } from './core/secrets.js';
import { defineServiceAccounts } from './core/serviceaccounts.js';
import { defaultServiceRanges, type ServiceRanges } from './core/services/ranges.js';
import { defineServices } from './core/services.js';
import { defineEndpointSlices, endpointTopology } from './discovery.platform.io/endpointslices.js';
import { defineEventsV1 } from './events.platform.io/events.js';
import { defineFlowSchemas } from './flowcontrol.platform.io/flowschemas.js';
import { definePriorityLevelConfigurations } from './flowcontrol.platform.io/prioritylevelconfigurations.js';
import { defineStorageVersions } from './internal.apiserver.platform.io/storageversions.js';
import { defineClusterCIDRs } from './networking.platform.io/clustercidrs.js';
import { defineIngressClasses } from './networking.platform.io/ingressclasses.js';
import { defineIngresses } from './networking.platform.io/ingresses.js';
import { defineIPAddresses } from './networking.platform.io/ipaddresses.js';
import { defineNetworkPolicies } from './networking.platform.io/networkpolicies.js';
import { defineServiceCIDRs } from './networking.platform.io/servicecidrs.js';
import { defineRuntimeClasses } from './node.platform.io/runtimeclasses.js';
import { definePodDisruptionBudgets } from './policy/poddisruptionbudgets.js';
import { defineClusterRoleBindings } from './rbac.authorization.platform.io/clusterrolebindings.js';
import { defineClusterRoles } from './rbac.authorization.platform.io/clusterroles.js';
import { defineRoleBindings, subjectGroups } from './rbac.authorization.platform.io/rolebindings.js';
import { defineRoles } from './rbac.authorization.platform.io/roles.js';
import { defineDeviceClasses } from './resource.platform.io/deviceclasses.js';
import { defineDeviceTaintRules } from './resource.platform.io/devicetaintrules.js';
import { definePodSchedulingContexts } from './resource.platform.io/podschedulingcontexts.js';
import { defineResourceClaims } from './resource.platform.io/resourceclaims.js';
import { defineResourceClaimsV1alpha2 } from './resource.platform.io/resourceclaims-v1alpha2.js';
import { defineResourceClaimTemplates } from './resource.platform.io/resourceclaimtemplates.js';
import { defineResourceClaimTemplatesV1alpha2 } from './resource.platform.io/resourceclaimtemplates-v1alpha2.js';
import { defineResourceClasses } from './resource.platform.io/resourceclasses.js';
import { defineResourcePoolStatusRequests } from './resource.platform.io/resourcepoolstatusrequests.js';
import { defineResourceSlices } from './resource.platform.io/resourceslices.js';
import { definePodGroups } from './scheduling.platform.io/podgroups.js';
import { definePriorityClasses } from './scheduling.platform.io/priorityclasses.js';
import { defineWorkloads } from './scheduling.platform.io/workloads.js';
import { servingOf } from './shared/serving.js';
import { defineCSIDrivers } from './storage.platform.io/csidrivers.js';
import { defineCSINodes } from './storage.platform.io/csinodes.js';
import { defineCSIStorageCapacities } from './storage.platform.io/csistoragecapacities.js';
import { defineStorageClasses } from './storage.platform.io/storageclasses.js';
import { defineVolumeAttachments } from './storage.platform.io/volumeattachments.js';
import { defineVolumeAttributesClasses } from './storage.platform.io/volumeattributesclasses.js';
import { defineStorageVersionMigrations } from './storagemigration.platform.io/storageversionmigrations.js';
import { defineStorageVersionMigrationsV1beta1 } from './storagemigration.platform.io/storageversionmigrations-v1beta1.js';

export { addressesHeld } from './core/services/allocation.js';
export {
  addressRecords,
  addressRecordsGate,
  defaultServiceRanges,
  type ServiceRanges,
} from './core/services/ranges.js';
export { type Component, type HandlerParts, type TokenIssuer, virtualHandlers } from './virtual.js';

/** Settings of the cluster that some handlers need. */
export interface HandlerSettings {
  readonly serviceRanges: ServiceRanges;
  /** The release of the server. Default: the specified one with the latest machinery. */
  readonly release?: Release | undefined;
}

const defaultSettings: HandlerSettings = { serviceRanges: defaultServiceRanges };

/** Returns the handlers of the built-in kinds for a server with these names. */
export function kindHandlers(
  names: Naming,
  { serviceRanges, release = emulate() }: HandlerSettings = defaultSettings,
): readonly KindHandlers[] {
  const serving = servingOf(names, release);
  return [
    defineAPIServices(),
    defineCertificateSigningRequests(names, release),
    defineClusterCIDRs(),
    defineClusterRoleBindings(names, release),
    defineClusterRoles(release),
    defineClusterTrustBundles(),
    defineConfigMaps(),
    defineControllerRevisions(),
    defineCronJobs(serving),
    defineCSIDrivers(release),
    defineCSINodes(),
    defineCSIStorageCapacities(names),
    defineCustomResourceDefinitions(names, release),
    defineDaemonSets(serving),
    defineDeployments(serving),
    defineDeviceClasses(release),
    defineDeviceTaintRules(),
    defineEndpointSlices(names, release),
    defineEndpoints(release),
    defineEvents(names),
    defineFlowSchemas(),
    defineHorizontalPodAutoscalers(serving),
    defineIngressClasses(),
    defineIngresses(names),
    defineIPAddresses(release),
    defineJobs(serving),
    defineLeaseCandidates(),
    defineLeases(),
    defineLimitRanges(names),
    defineMutatingAdmissionPolicies(release),
    defineMutatingAdmissionPolicyBindings(),
    defineMutatingWebhookConfigurations(release),
    defineNamespaces(names),
    defineNetworkPolicies(release),
    defineEventsV1(names),
    defineNodes(names),
    definePersistentVolumeClaims(serving),
    definePersistentVolumes(serving),
    definePodCertificateRequests(names),
    definePodDisruptionBudgets(),
    definePodGroups(),
    definePodSchedulingContexts(),
    definePods(names, release),
    definePodTemplates(serving),
    definePriorityClasses(),
    definePriorityLevelConfigurations(release),
    defineReplicaSets(serving),
    defineReplicationControllers(serving),
    defineResourceClaims(release),
    defineResourceClaimsV1alpha2(),
    defineResourceClaimTemplates(release),
    defineResourceClaimTemplatesV1alpha2(),
    defineResourceClasses(),
    defineResourcePoolStatusRequests(),
    defineResourceQuotas(names),
    defineResourceSlices(),
    defineRoleBindings(names, release),
    defineRoles(release),
    defineRuntimeClasses(serving),
    defineSecrets(names),
    defineServiceAccounts(serving),
    defineServiceCIDRs(),
    defineServices(names, serviceRanges, release),
    defineStatefulSets(serving),
    defineStorageClasses(names),
    defineStorageVersionMigrations(),
    defineStorageVersionMigrationsV1beta1(),
    defineStorageVersions(),
    defineValidatingAdmissionPolicyBindings(release),
    defineValidatingAdmissionPolicies(release),
    defineValidatingWebhookConfigurations(release),
    defineVolumeAttachments(names),
    defineVolumeAttributesClasses(),
    defineWorkloads(),
  ];
}

/** Conversions that no definition can declare, by the names under which definitions refer to them. */
export const conversions: readonly NamedConversion[] = [
  definitionVersions,
  endpointTopology,
  selectorFromTemplate,
  subjectGroups,
];
