/** Makes X.509 certificates (RFC 5280) that an authority on the curve P-256 signs. */
import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { ipNumber } from '../../objects/addresses/ip-range.js';
import { attributeIds, type Subject } from './read-name.js';
import {
  bitString,
  der,
  inContext,
  integer,
  objectId,
  octetString,
  sequence,
  time,
  utf8String,
  yes,
} from './write-der.js';

/** The contents of a certificate. */
export interface CertificateContents {
  readonly subject: Subject;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** An authority signs others, which are for a server or for a client. */
  readonly use: 'authority' | 'server' | 'client';
  /** Names and addresses of a server. */
  readonly names?: readonly string[];
}

/** The authority that signs. For one that signs itself, its name and key are those of the certificate. */
export interface Issuer {
  readonly subject: Subject;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'));

/** The certificate in PEM. */
export function issueCertificate(contents: CertificateContents, issuer: Issuer): string {
  const { subject, publicKey, notBefore, notAfter } = contents;
  const body = sequence(
    inContext(0, integer(Uint8Array.of(2))),
    // 127 bits, of which the first is set, so that all have one length.
    integer(Buffer.concat([Uint8Array.of(0x40), randomBytes(15)])),
    ecdsaWithSha256,
    nameOf(issuer.subject),
    sequence(time(notBefore), time(notAfter)),
    nameOf(subject),
    spki(publicKey),
    inContext(3, sequence(...extensionsOf(contents, issuer))),
  );
  const signature = sign('sha256', body, issuer.privateKey);
  const whole = sequence(body, ecdsaWithSha256, bitString(signature)).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${whole.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
}

const spki = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

const setTag = 0x31;

/** Groups come before the name, as is usual. */
function nameOf({ commonName, organizations }: Subject): Buffer {
  const attribute = (id: string, value: string): Buffer => der(setTag, sequence(objectId(id), utf8String(value)));
  return sequence(
    ...organizations.map((one) => attribute(attributeIds.organization, one)),
    attribute(attributeIds.commonName, commonName),
  );
}

const extension = (id: string, value: Buffer, critical = false): Buffer =>
  sequence(objectId(id), ...(critical ? [yes] : []), octetString(value));

/** Identifiers of extensions (RFC 5280 section 4.2.1), and of the purposes of keys. */
const ids = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
} as const;

/** Bits from the left: digitalSignature is the first; keyCertSign and cRLSign are the sixth and seventh. */
const signsData = bitString(Uint8Array.of(0x80), 7);
const signsCertificates = bitString(Uint8Array.of(0x06), 1);

function extensionsOf({ use, names = [], publicKey }: CertificateContents, issuer: Issuer): readonly Buffer[] {
  if (use === 'authority') {
    return [
      extension(ids.keyUsage, signsCertificates, true),
      // No further authorities below it.
      extension(ids.basicConstraints, sequence(yes, integer(Uint8Array.of(0))), true),
      extension(ids.subjectKeyId, octetString(keyId(publicKey))),
    ];
  }
  return [
    extension(ids.keyUsage, signsData, true),
    extension(ids.extendedKeyUsage, sequence(objectId(ids[use]))),
    extension(ids.basicConstraints, sequence(), true),
    extension(ids.authorityKeyId, sequence(der(0x80, keyId(issuer.publicKey)))),
    ...(names.length === 0 ? [] : [extension(ids.alternativeNames, sequence(...names.map(alternativeName)))]),
  ];
}

/** A short name of a key, the same wherever it is worked out (RFC 7093 section 2). */
const keyId = (key: KeyObject): Buffer => createHash('sha256').update(spki(key)).digest().subarray(0, 20);

const dnsNameTag = 0x82;
const addressTag = 0x87;

/** An address in 4 or 16 octets, or a name. */
function alternativeName(name: string): Buffer {
  const address = ipNumber(name);
  if (!address) return der(dnsNameTag, Buffer.from(name));
  const digits = address.value.toString(16).padStart(address.family === 'IPv4' ? 8 : 32, '0');
  return der(addressTag, Buffer.from(digits, 'hex'));
}
