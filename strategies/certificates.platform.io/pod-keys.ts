/** The key of a PodCertificateRequest, and the proof that the pod has it. */
import { constants, type KeyObject, verify } from 'node:crypto';
import type { PodCertificateRequestSpec } from '../../generated/types/certificates/v1beta1/types.js';
import { parseCertificateRequest, publicKeyOf } from '../../runtime/codec/certificates/certificate-request.js';
import type { Draft } from '../../runtime/contract/index.js';
import { invalidUnshown, invalidValue, tooLong } from '../../runtime/objects/field-error.js';
import type { FieldErrors } from '../shared/field-checks.js';

type Spec = Draft<PodCertificateRequestSpec>;

/** In bytes. */
const maxKey = 10 * 1024;

/** A request has a key with a signature of the pod's UID, or a request in PKCS#10 with both. */
export function* keyErrors(spec: Spec): FieldErrors {
  const parts = (['pkixPublicKey', 'proofOfPossession', 'stubPKCS10Request'] as const).map(
    (name) => [name, bytesOf(spec[name])] as const,
  );
  const large = parts.find(([, { length }]) => length > maxKey);
  if (large) yield tooLong(`spec.${large[0]}`, maxKey);
  else if (spec.stubPKCS10Request) yield* stubErrors(spec);
  else yield* proofErrors(spec);
}

/** Returns the key that the certificate is for. */
export function podKey({ pkixPublicKey, stubPKCS10Request }: Spec): KeyObject | undefined {
  if (!stubPKCS10Request) return publicKeyOf(bytesOf(pkixPublicKey));
  const parsed = parseCertificateRequest(pemOf(stubPKCS10Request));
  return parsed.ok ? publicKeyOf(parsed.request.publicKey) : undefined;
}

function* stubErrors(spec: Spec): FieldErrors {
  const field = 'spec.stubPKCS10Request';
  const parsed = parseCertificateRequest(pemOf(spec.stubPKCS10Request ?? ''));
  const problem = parsed.ok ? parsed.request.verify() : parsed.problem;
  if (spec.pkixPublicKey || spec.proofOfPossession) {
    yield invalidUnshown(field, 'excludes pkixPublicKey and proofOfPossession');
  } else if (problem !== undefined) {
    yield invalidUnshown(field, problem);
  } else {
    yield* kindErrors(podKey(spec), field);
  }
}

function* proofErrors(spec: Spec): FieldErrors {
  const key = podKey(spec);
  const wrong = [...kindErrors(key, 'spec.pkixPublicKey')];
  yield* wrong;
  if (wrong.length > 0 || key === undefined) return;
  const uid = Buffer.from(spec.podUID ?? '');
  const proof = bytesOf(spec.proofOfPossession);
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const padding = key.asymmetricKeyType === 'rsa' ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {};
  if (!verify(hash, uid, { key, ...padding }, proof)) {
    yield invalidUnshown('spec.proofOfPossession', 'could not verify proof-of-possession signature');
  }
}

const curves = ['prime256v1', 'secp384r1', 'secp521r1'];
const rsaBits = [3072, 4096];

function* kindErrors(key: KeyObject | undefined, field: string): FieldErrors {
  const { modulusLength = 0, namedCurve = '' } = key?.asymmetricKeyDetails ?? {};
  switch (key?.asymmetricKeyType) {
    case undefined:
      yield invalidUnshown(field, 'must be a valid PKIX-serialized public key');
      break;
    case 'ec':
      if (curves.includes(namedCurve)) return;
      yield invalidValue(field, `curve ${namedCurve}`, 'elliptic public keys must use curve P256 or P384');
      break;
    case 'rsa':
      if (rsaBits.includes(modulusLength)) return;
      yield invalidValue(field, `${modulusLength}-bit modulus`, 'RSA keys must have modulus size 3072 or 4096');
      break;
    case 'ed25519':
      break;
    default:
      yield invalidUnshown(field, 'unknown public key type; supported types are Ed25519, ECDSA, and RSA');
  }
}

const bytesOf = (base64 = ''): Buffer => Buffer.from(base64, 'base64');

const pemOf = (base64: string): Buffer =>
  Buffer.from(`-----BEGIN CERTIFICATE REQUEST-----\n${base64}\n-----END CERTIFICATE REQUEST-----\n`);
