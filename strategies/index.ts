/** What single kinds do that no schema can say, one file per kind. */
import type { Strategy } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import { defineCertificateSigningRequestStrategy } from './certificate-signing-request.js';
import { defineConfigMapStrategy } from './config-map.js';
import { defineCSIDriverStrategy } from './csi-driver.js';
import { defineCSINodeStrategy } from './csi-node.js';
import { defineCSIStorageCapacityStrategy } from './csi-storage-capacity.js';
import { defineEventStrategy } from './event.js';
import { defineIPAddressStrategy } from './ip-address.js';
import { defineLeaseStrategy } from './lease.js';
import { defineNamespaceStrategy } from './namespace.js';
import { defineNodeStrategy } from './node.js';
import { definePersistentVolumeStrategy } from './persistent-volume.js';
import { definePersistentVolumeClaimStrategy } from './persistent-volume-claim.js';
import { definePodStrategy } from './pod.js';
import { definePodSchedulingContextStrategy } from './pod-scheduling-context.js';
import { definePodTemplateStrategy } from './pod-template.js';
import { defineSecretStrategy } from './secret.js';
import { defineServiceAccountStrategy } from './service-account.js';
import { defineStorageClassStrategy } from './storage-class.js';
import { defineVolumeAttachmentStrategy } from './volume-attachment.js';

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
    defineCSIDriverStrategy(),
    defineCSINodeStrategy(),
    defineCSIStorageCapacityStrategy(names),
    defineEventStrategy(names),
    defineIPAddressStrategy(),
    defineLeaseStrategy(),
    defineNamespaceStrategy(names),
    defineNodeStrategy(names),
    definePersistentVolumeClaimStrategy(names),
    definePersistentVolumeStrategy(names),
    definePodStrategy(names),
    definePodSchedulingContextStrategy(),
    definePodTemplateStrategy(names),
    defineSecretStrategy(names),
    defineServiceAccountStrategy(),
    defineStorageClassStrategy(names),
    defineVolumeAttachmentStrategy(names),
  ];
}
