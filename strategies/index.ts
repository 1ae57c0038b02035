/** What single kinds do that no schema can say, one file per kind. */
import type { Strategy } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import { defineCertificateSigningRequestStrategy } from './certificate-signing-request.js';
import { defineConfigMapStrategy } from './config-map.js';
import { defineCSIDriverStrategy } from './csi-driver.js';
import { defineEventStrategy } from './event.js';
import { defineIPAddressStrategy } from './ip-address.js';
import { defineLeaseStrategy } from './lease.js';
import { defineNamespaceStrategy } from './namespace.js';
import { definePodSchedulingContextStrategy } from './pod-scheduling-context.js';
import { defineSecretStrategy } from './secret.js';
import { defineServiceAccountStrategy } from './service-account.js';

/** The strategies of the built-in kinds. Each names its kind as the platform does; their constants follow the naming. */
export function strategies(names: Naming): readonly Strategy[] {
  return [
    defineCertificateSigningRequestStrategy(names),
    defineConfigMapStrategy(),
    defineCSIDriverStrategy(),
    defineEventStrategy(names),
    defineIPAddressStrategy(),
    defineLeaseStrategy(),
    defineNamespaceStrategy(names),
    definePodSchedulingContextStrategy(),
    defineSecretStrategy(names),
    defineServiceAccountStrategy(),
  ];
}
