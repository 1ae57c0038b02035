/** Makes X.509 certificates (RFC 5280), signed by an authority with a key on the curve P-256. */
import type { KeyObject } from 'node:crypto';
import { ipNumber } from '../../objects/ip-address.js';
import {
  authorityKeyIdExtension,
  extension,
  extensionIds,
  keyId,
  keyUsageExtension,
  noAuthorityExtension,
  purposesExtension,
  spki,
} from './extensions.js';
import { attributeIds, type Subject } from './read-name.js';
import { signCertificate } from './sign-certificate.js';
import { der, integer, objectId, octetString, sequence, utf8String, yes } from './write-der.js';

export interface CertificateContents {
  readonly subject: Subject;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** An `authority` signs certificates of servers and clients. */
  readonly use: 'authority' | 'server' | 'client';
  /** Names and addresses of a server. */
  readonly names?: readonly string[];
}

/** The authority that signs. A self-signed certificate has its own name and key here. */
export interface Issuer {
  readonly subject: Subject;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Issues a certificate in PEM. */
export function issueCertificate(contents: CertificateContents, issuer: Issuer): string {
  const { subject, publicKey, notBefore, notAfter } = contents;
  return signCertificate(
    {
      subject: nameOf(subject),
      publicKey: spki(publicKey),
      notBefore,
      notAfter,
      extensions: extensionsOf(contents, issuer),
    },
    { name: nameOf(issuer.subject), privateKey: issuer.privateKey },
  );
}

const setTag = 0x31;

/** Encodes a name in DER. Groups come before the common name, as is usual. */
export function nameOf({ commonName, organizations }: Subject): Buffer {
  const attribute = (id: string, value: string): Buffer => der(setTag, sequence(objectId(id), utf8String(value)));
  return sequence(
    ...organizations.map((one) => attribute(attributeIds.organization, one)),
    attribute(attributeIds.commonName, commonName),
  );
}

/** Identifiers of the purposes of keys. */
const purposes = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const;

/** Bits of the usage of a key: digitalSignature; keyCertSign and cRLSign. */
const signsData = keyUsageExtension([0]);
const signsCertificates = keyUsageExtension([5, 6]);

function extensionsOf({ use, names = [], publicKey }: CertificateContents, issuer: Issuer): readonly Buffer[] {
  if (use === 'authority') {
    return [
      signsCertificates,
      // It may not sign certificates of other authorities.
      extension(extensionIds.basicConstraints, sequence(yes, integer(Uint8Array.of(0))), true),
      extension(extensionIds.subjectKeyId, octetString(keyId(publicKey))),
    ];
  }
  return [
    signsData,
    purposesExtension([purposes[use]]),
    noAuthorityExtension,
    authorityKeyIdExtension(keyId(issuer.publicKey)),
    ...(names.length === 0 ? [] : [extension(extensionIds.alternativeNames, sequence(...names.map(alternativeName)))]),
  ];
}

const dnsNameTag = 0x82;
const addressTag = 0x87;

/** Encodes an address in 4 or 16 octets, or a name. */
function alternativeName(name: string): Buffer {
  const address = ipNumber(name);
  if (!address) return der(dnsNameTag, Buffer.from(name));
  const digits = address.value.toString(16).padStart(address.family === 'IPv4' ? 8 : 32, '0');
  return der(addressTag, Buffer.from(digits, 'hex'));
}
