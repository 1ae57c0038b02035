/** CertificateSubjectRestriction: nobody becomes an administrator by way of a client certificate. */
import { parseCertificateRequest } from '../../runtime/codec/certificates/certificate-request.js';
import type { AdmissionPlugin } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { administrators } from '../authorization/index.js';
import { refuse } from './refuse.js';
import { requestsOf, signerOf } from './signer-rights.js';

export function defineCertificateSubjectRestriction(names: Naming): AdmissionPlugin {
  const isRequests = requestsOf(names);
  return {
    name: 'CertificateSubjectRestriction',
    handles: (resource, operation, subresource) => operation === 'CREATE' && subresource === '' && isRequests(resource),
    validate(attributes) {
      const { object } = attributes;
      const signer = signerOf(object);
      if (signer !== names.signers.apiserverClient) return undefined;
      const parsed = parseCertificateRequest(Buffer.from(stringAt(objectAt(object, 'spec'), 'request'), 'base64'));
      if (!parsed.ok) return refuse(attributes, `failed to parse CSR: ${parsed.problem}`);
      if (!parsed.request.subject.organizations.includes(administrators)) return undefined;
      return refuse(attributes, `use of ${signer} signer with ${administrators} group is not allowed`);
    },
  };
}
