/** Signs X.509 certificates (RFC 5280) with the key of an authority. The key may be of any usual type. */
import { type KeyObject, randomBytes, sign } from 'node:crypto';
import { bitString, inContext, integer, nothing, objectId, sequence, time } from './write-der.js';

/** The contents of a certificate; bytes are in DER. */
export interface UnsignedCertificate {
  readonly subject: Uint8Array;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly extensions: readonly Uint8Array[];
}

/** The authority that signs: its name in DER, and its key. */
export interface SigningName {
  readonly name: Uint8Array;
  readonly privateKey: KeyObject;
}

/** How a key signs: the identifier of the algorithm in DER, and the hash; null for Ed25519, which includes a hash. */
interface Algorithm {
  readonly identifier: Buffer;
  readonly hash: string | null;
}

const rsa: Algorithm = { identifier: sequence(objectId('1.2.840.113549.1.1.11'), nothing), hash: 'sha256' };
const ed25519: Algorithm = { identifier: sequence(objectId('1.3.101.112')), hash: null };

/** The algorithms by curve. Larger curves sign longer hashes. */
const curves: ReadonlyMap<string, Algorithm> = new Map([
  ['prime256v1', { identifier: sequence(objectId('1.2.840.10045.4.3.2')), hash: 'sha256' }],
  ['secp384r1', { identifier: sequence(objectId('1.2.840.10045.4.3.3')), hash: 'sha384' }],
  ['secp521r1', { identifier: sequence(objectId('1.2.840.10045.4.3.4')), hash: 'sha512' }],
]);

/** Returns whether a key can sign certificates: RSA, P-256, P-384, P-521 and Ed25519 can. */
export const canSign = (key: KeyObject): boolean => algorithmOf(key) !== undefined;

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails }: KeyObject): Algorithm | undefined {
  if (type === 'rsa') return rsa;
  if (type === 'ed25519') return ed25519;
  return type === 'ec' ? curves.get(asymmetricKeyDetails?.namedCurve ?? '') : undefined;
}

/** Signs a certificate and returns it in PEM. Throws a `TypeError` if `canSign` is false for the key. */
export function signCertificate(contents: UnsignedCertificate, { name, privateKey }: SigningName): string {
  const algorithm = algorithmOf(privateKey);
  if (!algorithm) throw new TypeError(`key type ${privateKey.asymmetricKeyType} cannot sign certificates`);
  const body = sequence(
    inContext(0, integer(Uint8Array.of(2))),
    // 127 bits. The first one is set, so all have the same length.
    integer(Buffer.concat([Uint8Array.of(0x40), randomBytes(15)])),
    algorithm.identifier,
    name,
    sequence(time(contents.notBefore), time(contents.notAfter)),
    contents.subject,
    contents.publicKey,
    inContext(3, sequence(...contents.extensions)),
  );
  const signature = sign(algorithm.hash, body, privateKey);
  const whole = sequence(body, algorithm.identifier, bitString(signature)).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${whole.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
}
