/** ClusterTrustBundleAttest: who writes the certificates of a signer needs the right to attest for it. */
import type { AdmissionPlugin } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { handlesObjects } from './handled.js';
import { refuse } from './refuse.js';
import { maySignFor, signerOf } from './signer-rights.js';

export function defineClusterTrustBundleAttest({ rename }: Naming): AdmissionPlugin {
  const group = rename('certificates.platform.io');
  return {
    name: 'ClusterTrustBundleAttest',
    handles: handlesObjects(group, 'clustertrustbundles', 'CREATE', 'UPDATE'),
    async validate(attributes, context) {
      // The signer of a bundle never changes, so that the new object names the one that matters.
      const signer = signerOf(attributes.object);
      if (signer === '' || (await maySignFor('attest', signer, group, attributes.user, context))) return undefined;
      return refuse(attributes, `user not permitted to attest for signerName ${quote(signer)}`);
    },
  };
}
