/**
 * Plugins about certificates: users who approve, sign or attest need the right to do so for the signer.
 * CertificateApproval comes first.
 */

import { X509Certificate } from 'node:crypto';
import { parseCertificateRequest } from '../../runtime/codec/certificates/certificate-request.js';
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  ApiObject,
  Observer,
  ResourceModule,
  UserInfo,
} from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { administrators } from '../authorization/index.js';
import { handlesObjects, refuse } from './define-admission-plugin.js';

export function defineCertificateApproval(names: Naming): AdmissionPlugin {
  const isRequests = requestsOf(names);
  return {
    name: 'CertificateApproval',
    handles: (resource, operation, subresource) =>
      operation === 'UPDATE' && subresource === 'approval' && isRequests(resource),
    async validate(attributes, context) {
      // The stored request names the signer; the update could name another one.
      const signer = signerOf(attributes.oldObject);
      const allowed = await maySignFor('approve', signer, attributes.resource.group, attributes.user, context);
      return allowed
        ? undefined
        : refuse(attributes, `user not permitted to approve requests with signerName ${quote(signer)}`);
    },
  };
}

export function defineCertificateSigning(names: Naming): AdmissionPlugin {
  const isRequests = requestsOf(names, 'certificatesigningrequests', 'podcertificaterequests');
  let observer: Observer | undefined;
  return {
    name: 'CertificateSigning',
    start(host) {
      ({ observer } = host);
    },
    handles: (resource, operation, subresource) =>
      operation === 'UPDATE' && subresource === 'status' && isRequests(resource),
    async validate(attributes, context) {
      if (!changesOutcome(attributes)) return undefined;
      const signer = signerOf(attributes.oldObject);
      const allowed = await maySignFor('sign', signer, attributes.resource.group, attributes.user, context);
      if (allowed && observer) countDuration(attributes, names, observer);
      return allowed
        ? undefined
        : refuse(attributes, `user not permitted to sign requests with signerName ${quote(signer)}`);
    },
  };
}

/** Counts a certificate that is issued for a request with a duration. As in the reference, dry runs do not count. */
function countDuration({ object, oldObject, dryRun }: AdmissionAttributes, names: Naming, observer: Observer): void {
  const seconds = objectAt(oldObject, 'spec')?.expirationSeconds;
  const certificate = stringAt(objectAt(object, 'status'), 'certificate');
  const isIssued = certificate !== '' && stringAt(objectAt(oldObject, 'status'), 'certificate') === '';
  if (dryRun || !isIssued || typeof seconds !== 'number') return;
  const signer = signerOf(oldObject);
  const label = signer.startsWith(names.rename('platform.io/')) ? signer : 'other';
  observer.certificateIssued(label, isHonored(certificate, seconds));
}

/** Reports whether a certificate (PEM in base64) has about the requested lifetime: within 5 % and five minutes. */
function isHonored(certificate: string, wanted: number): boolean {
  try {
    const { validFrom, validTo } = new X509Certificate(Buffer.from(certificate, 'base64'));
    const seconds = (Date.parse(validTo) - Date.parse(validFrom)) / 1000;
    return Math.abs(seconds - wanted) < 300 + wanted / 20;
  } catch {
    return false;
  }
}

/**
 * Returns whether an update changes the certificate, or the conditions of a signing request. Anyone who may write the status may write
 * metadata.
 */
function changesOutcome({ object, oldObject }: AdmissionAttributes): boolean {
  const status = objectAt(object, 'status');
  const before = objectAt(oldObject, 'status');
  const isOfPod = object?.kind === 'PodCertificateRequest';
  if (isOfPod) return !equal(status?.certificateChain, before?.certificateChain);
  return !equal(status?.certificate, before?.certificate) || !equal(status?.conditions, before?.conditions);
}

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

export function defineClusterTrustBundleAttest({ rename }: Naming): AdmissionPlugin {
  const group = rename('certificates.platform.io');
  return {
    name: 'ClusterTrustBundleAttest',
    handles: handlesObjects(group, 'clustertrustbundles', 'CREATE', 'UPDATE'),
    async validate(attributes, context) {
      // The signer of a bundle never changes, so the new object names the right one.
      const signer = signerOf(attributes.object);
      if (signer === '' || (await maySignFor('attest', signer, group, attributes.user, context))) return undefined;
      return refuse(attributes, `user not permitted to attest for signerName ${quote(signer)}`);
    },
  };
}

/** The verbs on the resource `signers`. */
type SignerVerb = 'approve' | 'sign' | 'attest';

function requestsOf(names: Naming, ...plurals: readonly string[]): (resource: ResourceModule) => boolean {
  const group = names.rename('certificates.platform.io');
  const wanted = plurals.length === 0 ? ['certificatesigningrequests'] : plurals;
  return (resource) => resource.group === group && wanted.includes(resource.names.plural);
}

function signerOf(request: ApiObject | undefined): string {
  return stringAt(objectAt(request, 'spec'), 'signerName');
}

/** Checks the right on the signer itself (`example.com/signer`), then on its whole domain (`example.com/*`). */
async function maySignFor(
  verb: SignerVerb,
  signer: string,
  group: string,
  user: UserInfo,
  context: AdmissionContext,
): Promise<boolean> {
  const ask = (name: string) => context.authorize({ user, verb, group, resource: 'signers', name });
  const [domain = ''] = signer.split('/', 1);
  return (await ask(signer)) || ask(`${domain}/*`);
}
