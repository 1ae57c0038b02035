/** The certificate that a signer writes into the status of a PodCertificateRequest. */
import type { X509Certificate } from 'node:crypto';
import type {
  PodCertificateRequestSpec,
  PodCertificateRequestStatus,
} from '../../generated/types/certificates/v1beta1/types.js';
import { parseCertificate } from '../../runtime/codec/certificates/certificates.js';
import { pemBlocks } from '../../runtime/codec/certificates/pem.js';
import type { Draft } from '../../runtime/contract/index.js';
import { invalidValue, required, tooLong } from '../../runtime/objects/field-error.js';
import { byteLength } from '../../runtime/objects/names/name-checks.js';
import { type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { podKey } from './pod-keys.js';

type Spec = Draft<PodCertificateRequestSpec>;
type Status = Draft<PodCertificateRequestStatus>;

/** In bytes. */
const maxChain = 100 * 1024;
const chainField = 'status.certificateChain';

/**
 * Checks that a chain is for the key of the request, and that the times in the status fit the chain. `now` is in RFC
 * 3339.
 */
export function* issuedErrors(spec: Spec, status: Status, now: string): FieldErrors {
  const { certificateChain: chain = '' } = status;
  if (byteLength(chain) > maxChain) {
    yield tooLong(chainField, maxChain);
    return;
  }
  const leaf = readLeaf(chain);
  if (typeof leaf === 'string') {
    yield invalidValue(chainField, chain, leaf);
    return;
  }
  const key = podKey(spec);
  if (key === undefined || !leaf.publicKey.equals(key)) {
    yield invalidValue(chainField, chain, 'leaf certificate was not issued to the requested public key');
    return;
  }
  // Report only the first mistake: the others follow from it.
  const missing = firstErrors(missingTimes(status));
  yield* missing.length > 0 ? missing : firstErrors(timeErrors(leaf, spec, status, now)).slice(0, 1);
}

/** Returns the first certificate of a chain, or what is wrong with the chain. */
function readLeaf(chain: string): X509Certificate | string {
  const blocks = pemBlocks(Buffer.from(chain));
  if (blocks.length === 0) return 'issued certificate chain must contain at least one certificate';
  if (blocks.some(({ type }) => type !== 'CERTIFICATE')) {
    return 'issued certificate chain must consist entirely of CERTIFICATE PEM blocks';
  }
  const [leaf, ...others] = blocks.map(({ bytes }) => parseCertificate(bytes));
  if (leaf === undefined) return 'leaf certificate does not parse as valid X.509';
  return others.includes(undefined) ? 'intermediate certificate does not parse as valid X.509' : leaf;
}

function* missingTimes({ notBefore, notAfter, beginRefreshAt }: Status): FieldErrors {
  const rule = 'must be present and consistent with the issued certificate';
  if (!notBefore) yield required('status.notBefore', rule);
  if (!notAfter) yield required('status.notAfter', rule);
  if (!beginRefreshAt) {
    yield required('status.beginRefreshAt', 'must be present and in the range [notbefore+10min, notafter-10min]');
  }
}

/** In milliseconds. */
const minute = 60_000;
const hour = 60 * minute;

function* timeErrors(leaf: X509Certificate, spec: Spec, status: Status, now: string): FieldErrors {
  const { notBefore = '', notAfter = '', beginRefreshAt = '' } = status;
  const [first, last] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)];
  const seconds = (last - first) / 1000;
  const { maxExpirationSeconds: longest = 0 } = spec;
  const refresh = Date.parse(beginRefreshAt ?? '');
  if (Date.parse(notBefore ?? '') !== first) {
    yield invalidValue(
      'status.notBefore',
      notBefore,
      'must be set to the NotBefore time encoded in the leaf certificate',
    );
  }
  if (Math.abs(first - Date.parse(now)) >= 5 * minute) {
    yield invalidValue(
      'status.notBefore',
      notBefore,
      "must be set to within 5 minutes of kube-apiserver's current time",
    );
  }
  if (Date.parse(notAfter ?? '') !== last) {
    yield invalidValue('status.notAfter', notAfter, 'must be set to the NotAfter time encoded in the leaf certificate');
  }
  if (last - first < hour) yield invalidValue(chainField, seconds, 'leaf certificate lifetime must be >= 1 hour');
  if (seconds > longest) {
    const rule = `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${longest})`;
    yield invalidValue(chainField, seconds, rule);
  }
  if (refresh < first + 10 * minute) {
    yield invalidValue('status.beginRefreshAt', beginRefreshAt, 'must be at least 10 minutes after status.notBefore');
  }
  if (refresh > last - 10 * minute) {
    yield invalidValue('status.beginRefreshAt', beginRefreshAt, 'must be at least 10 minutes before status.notAfter');
  }
}
