/** ClusterTrustBundle: its name, which begins with the signer, and its certificates. */
import { defineClusterTrustBundleHandlers } from '../../generated/certificates.platform.io/v1alpha1/clustertrustbundles/handlers.js';
import type { ClusterTrustBundle } from '../../generated/certificates.platform.io/v1alpha1/clustertrustbundles/types.js';
import { parseCertificate } from '../../runtime/codec/certificates/certificates.js';
import { pemBlocks } from '../../runtime/codec/certificates/pem.js';
import type { DraftObject, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, tooLong } from '../../runtime/objects/field-error.js';
import { byteLength, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { signerNameErrors } from './certificatesigningrequests.js';

type Bundle = DraftObject<ClusterTrustBundle>;

export const defineClusterTrustBundles = (): KindHandlers =>
  defineClusterTrustBundleHandlers({
    validate: (bundle) => firstErrors(checkSigner(bundle)),
    validateCreate: ({ spec }) => firstErrors(checkCertificates(spec?.trustBundle ?? '')),
    validateUpdate: ({ spec }, old) =>
      spec?.trustBundle === old.spec?.trustBundle ? [] : firstErrors(checkCertificates(spec?.trustBundle ?? '')),
    columns: { SignerName: ({ spec }) => spec?.signerName || '<none>' },
  });

/** The name of a bundle for one signer begins with it; other names have no colon. */
function* checkSigner({ metadata: { name = '' }, spec }: Bundle): FieldErrors {
  const signer = spec?.signerName ?? '';
  const prefix = signer === '' ? '' : `${signer.replaceAll('/', ':')}:`;
  if (!name.startsWith(prefix)) {
    const rule = `ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`;
    yield invalidValue('metadata.name', name, rule);
  } else if (signer === '' && name.includes(':')) {
    yield invalidValue('metadata.name', name, 'ClusterTrustBundle without signer name must not have ":" in its name');
  } else {
    for (const problem of dns1123Subdomain(name.slice(prefix.length)))
      yield invalidValue('metadata.name', name, problem);
  }
  if (signer !== '') yield* signerNameErrors('spec.signerName', signer);
}

/** In bytes. */
const maxBundle = 1024 * 1024;
const field = 'spec.trustBundle';

/** Each block is the certificate of an authority, and there is at least one. */
function* checkCertificates(bundle: string): FieldErrors {
  if (byteLength(bundle) > maxBundle) {
    yield tooLong(field, maxBundle);
    return;
  }
  const wrong = (problem: string) => invalidValue(field, '<value omitted>', problem);
  const places = new Map<string, number[]>();
  let isBroken = false;
  for (const [i, { type, hasHeaders, bytes }] of pemBlocks(Buffer.from(bundle)).entries()) {
    const problem = blockProblem(type, hasHeaders, bytes);
    if (problem !== undefined) {
      isBroken = true;
      yield wrong(`entry ${i} ${problem}`);
    }
    const key = Buffer.from(bytes).toString('base64');
    places.set(key, [...(places.get(key) ?? []), i]);
  }
  // If blocks cannot be read, their errors are enough.
  if (isBroken) return;
  if (places.size === 0) yield wrong('at least one trust anchor must be provided');
  for (const same of places.values()) {
    if (same.length > 1) yield wrong(`duplicate trust anchor (indices [${same.join(' ')}])`);
  }
}

function blockProblem(type: string, hasHeaders: boolean, bytes: Uint8Array): string | undefined {
  if (type !== 'CERTIFICATE') return `has bad block type: ${type}`;
  if (hasHeaders) return 'has PEM block headers';
  const certificate = parseCertificate(bytes);
  if (certificate === undefined) return 'does not parse as X.509';
  return certificate.ca ? undefined : 'does not have the CA bit set';
}
