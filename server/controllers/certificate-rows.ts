/** The controllers of certificate requests. */
import {
  defineCertificateApproving,
  defineCertificateCleaning,
  defineCertificateSigner,
} from '../../controllers/index.js';
import { agentNameOf } from '../../plugins/index.js';
import type { ControllerRow, Served } from './controller-row.js';

/** The group of requests, where they are served. */
function requestGroup({ serves, naming }: Served): string | undefined {
  const group = naming.rename('certificates.platform.io');
  return serves(group, 'v1', 'certificatesigningrequests') ? group : undefined;
}

export const certificateRows: readonly ControllerRow[] = [
  {
    name: 'csrapproving',
    byDefault: true,
    make: (served) => {
      const { serves, naming } = served;
      const group = requestGroup(served);
      const authorizationGroup = naming.rename('authorization.platform.io');
      return group !== undefined && serves(authorizationGroup, 'v1', 'subjectaccessreviews')
        ? defineCertificateApproving({ group, authorizationGroup, agentNameOf: (spec) => agentNameOf(spec, naming) })
        : undefined;
    },
  },
  {
    name: 'csrcleaner',
    byDefault: true,
    make: (served) => {
      const group = requestGroup(served);
      return group === undefined ? undefined : defineCertificateCleaning(group);
    },
  },
  {
    name: 'csrsigning',
    byDefault: true,
    make: (served) => {
      const group = requestGroup(served);
      return group === undefined || served.own === undefined
        ? undefined
        : defineCertificateSigner({ group, signers: served.own.signers });
    },
  },
];
