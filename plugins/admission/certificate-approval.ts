/** CertificateApproval: who decides on a request needs the right to do so for its signer. */
import type { AdmissionPlugin } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { refuse } from './refuse.js';
import { maySignFor, requestsOf, signerOf } from './signer-rights.js';

export function defineCertificateApproval(names: Naming): AdmissionPlugin {
  const isRequests = requestsOf(names);
  return {
    name: 'CertificateApproval',
    handles: (resource, operation, subresource) =>
      operation === 'UPDATE' && subresource === 'approval' && isRequests(resource),
    async validate(attributes, context) {
      // The stored request says for which signer, whatever the update says.
      const signer = signerOf(attributes.oldObject);
      const allowed = await maySignFor('approve', signer, attributes.resource.group, attributes.user, context);
      return allowed
        ? undefined
        : refuse(attributes, `user not permitted to approve requests with signerName ${quote(signer)}`);
    },
  };
}
