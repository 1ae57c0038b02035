/** What single kinds do that no schema can say, one file per kind. */
import type { Strategy } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import { defineAPIServiceStrategy } from './api-service.js';
import { defineCertificateSigningRequestStrategy } from './certificate-signing-request.js';
import { defineClusterRoleStrategy } from './cluster-role.js';
import { defineClusterRoleBindingStrategy } from './cluster-role-binding.js';
import { defineConfigMapStrategy } from './config-map.js';
import { defineCSIDriverStrategy } from './csi-driver.js';
import { defineEventStrategy } from './event.js';
import { defineFlowSchemaStrategy } from './flow-schema.js';
import { defineIPAddressStrategy } from './ip-address.js';
import { defineLeaseStrategy } from './lease.js';
import { defineLimitRangeStrategy } from './limit-range.js';
import { defineMutatingWebhookConfigurationStrategy } from './mutating-webhook-configuration.js';
import { defineNamespaceStrategy } from './namespace.js';
import { definePodSchedulingContextStrategy } from './pod-scheduling-context.js';
import { definePriorityClassStrategy } from './priority-class.js';
import { definePriorityLevelConfigurationStrategy } from './priority-level-configuration.js';
import { defineResourceClaimStrategy } from './resource-claim.js';
import { defineResourceQuotaStrategy } from './resource-quota.js';
import { defineRoleStrategy } from './role.js';
import { defineRoleBindingStrategy } from './role-binding.js';
import { defineRuntimeClassStrategy } from './runtime-class.js';
import { defineSecretStrategy } from './secret.js';
import { defineServiceAccountStrategy } from './service-account.js';
import { defineStorageVersionStrategy } from './storage-version.js';
import { defineValidatingAdmissionPolicyStrategy } from './validating-admission-policy.js';
import { defineValidatingAdmissionPolicyBindingStrategy } from './validating-admission-policy-binding.js';
import { defineValidatingWebhookConfigurationStrategy } from './validating-webhook-configuration.js';

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
    defineAPIServiceStrategy(),
    defineCertificateSigningRequestStrategy(names),
    defineClusterRoleStrategy(),
    defineClusterRoleBindingStrategy(names),
    defineConfigMapStrategy(),
    defineCSIDriverStrategy(),
    defineEventStrategy(names),
    defineFlowSchemaStrategy(),
    defineIPAddressStrategy(),
    defineLeaseStrategy(),
    defineLimitRangeStrategy(names),
    defineMutatingWebhookConfigurationStrategy(),
    defineNamespaceStrategy(names),
    definePodSchedulingContextStrategy(),
    definePriorityClassStrategy(),
    definePriorityLevelConfigurationStrategy(),
    defineResourceClaimStrategy(),
    defineResourceQuotaStrategy(names),
    defineRoleStrategy(),
    defineRoleBindingStrategy(names),
    defineRuntimeClassStrategy(names),
    defineSecretStrategy(names),
    defineServiceAccountStrategy(),
    defineStorageVersionStrategy(),
    defineValidatingAdmissionPolicyStrategy(),
    defineValidatingAdmissionPolicyBindingStrategy(),
    defineValidatingWebhookConfigurationStrategy(),
  ];
}
