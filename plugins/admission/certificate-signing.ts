/** CertificateSigning: who puts a certificate into a request needs the right to sign for its signer. */
import type { AdmissionAttributes, AdmissionPlugin } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { objectAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { refuse } from './refuse.js';
import { maySignFor, requestsOf, signerOf } from './signer-rights.js';

export function defineCertificateSigning(names: Naming): AdmissionPlugin {
  const isRequests = requestsOf(names);
  return {
    name: 'CertificateSigning',
    handles: (resource, operation, subresource) =>
      operation === 'UPDATE' && subresource === 'status' && isRequests(resource),
    async validate(attributes, context) {
      if (!changesOutcome(attributes)) return undefined;
      const signer = signerOf(attributes.oldObject);
      const allowed = await maySignFor('sign', signer, attributes.resource.group, attributes.user, context);
      return allowed
        ? undefined
        : refuse(attributes, `user not permitted to sign requests with signerName ${quote(signer)}`);
    },
  };
}

/** Metadata may be written by anyone who may write the status. */
function changesOutcome({ object, oldObject }: AdmissionAttributes): boolean {
  const status = objectAt(object, 'status');
  const before = objectAt(oldObject, 'status');
  return !equal(status?.certificate, before?.certificate) || !equal(status?.conditions, before?.conditions);
}
