/** The controllers of tokens, and of the certificates that go with them. */
import {
  defineRootCertificates,
  defineTokenCleaning,
  defineTokenSecrets,
  defineTokenSigning,
} from '../../controllers/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { type ControllerRow, hasCore, type Served } from './controller-row.js';

const bootstrapTokens = ({ namespaces, secretTypes }: Naming) => ({
  namespace: namespaces.system,
  type: secretTypes.bootstrapToken,
});

function rolesGroup({ serves, naming }: Served): string | undefined {
  const group = naming.rename('rbac.authorization.platform.io');
  return serves(group, 'v1', 'roles') && serves(group, 'v1', 'rolebindings') ? group : undefined;
}

export const bootstrapSigner: ControllerRow = {
  name: 'bootstrapsigner',
  byDefault: false,
  make(served) {
    if (!hasCore(served, 'secrets', 'configmaps')) return undefined;
    const { naming, own } = served;
    const kubeconfig = own?.clusterInfo;
    return defineTokenSigning({
      tokens: bootstrapTokens(naming),
      publicNamespace: naming.namespaces.public,
      info: kubeconfig && { kubeconfig, rolesGroup: rolesGroup(served) },
    });
  },
};

export const tokenCleaner: ControllerRow = {
  name: 'tokencleaner',
  byDefault: false,
  make: (served) => (hasCore(served, 'secrets') ? defineTokenCleaning(bootstrapTokens(served.naming)) : undefined),
};

export const rootCertificates: ControllerRow = {
  name: 'root-ca-cert-publisher',
  byDefault: true,
  make(served) {
    const trusted = served.own?.trusted;
    if (!trusted || !hasCore(served, 'namespaces', 'configmaps')) return undefined;
    return defineRootCertificates({ name: served.naming.wellKnown.rootCertificates, trusted });
  },
};

export const tokenSecrets: ControllerRow = {
  name: 'serviceaccount-token',
  byDefault: true,
  make(served) {
    const { own, naming } = served;
    if (!own || !hasCore(served, 'secrets', 'serviceaccounts')) return undefined;
    const { wellKnown, secretTypes } = naming;
    return defineTokenSecrets({
      type: secretTypes.serviceAccountToken,
      nameAnnotation: wellKnown.serviceAccountNameAnnotation,
      uidAnnotation: wellKnown.serviceAccountUidAnnotation,
      claim: wellKnown.tokenClaim,
      issue: own.issueSecretToken,
      trusted: () => own.trusted?.(),
    });
  },
};
