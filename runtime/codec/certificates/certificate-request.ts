/** Reads certificate requests: PKCS#10 (RFC 2986) in PEM. */
import { type DerValue, members, oidOf, readAll, tags } from './der.js';
import { pemBlocks } from './pem.js';
import { signatureProblem } from './signature.js';

/** The subject and key that are to be certified. */
export interface CertificateRequest {
  readonly subject: {
    /** Empty where the subject has none; the last where it has several. */
    readonly commonName: string;
    readonly organizations: readonly string[];
  };
  /** Returns the problem of the signature; `undefined` where it is good. */
  readonly verify: () => string | undefined;
}

/** A request, or what keeps the bytes from being one. */
export type CertificateRequestResult =
  | { readonly ok: true; readonly request: CertificateRequest }
  | { readonly ok: false; readonly problem: string };

/** Reads the first PEM block of some bytes as a request. Its signature is not looked at before `verify` is called. */
export function parseCertificateRequest(pem: Uint8Array): CertificateRequestResult {
  const [block] = pemBlocks(pem);
  if (block?.type !== 'CERTIFICATE REQUEST') {
    return { ok: false, problem: 'PEM block type must be CERTIFICATE REQUEST' };
  }
  const request = readRequest(block.bytes);
  return request
    ? { ok: true, request }
    : { ok: false, problem: 'asn1: structure error: the block holds no certificate request' };
}

/** CertificationRequest ::= SEQUENCE { info SEQUENCE, algorithm SEQUENCE, signature BIT STRING } */
function readRequest(der: Uint8Array): CertificateRequest | undefined {
  const [outer, trailing] = readAll(der) ?? [];
  const [info, algorithm, signature, more] = members(outer, tags.sequence) ?? [];
  if (!info || algorithm?.tag !== tags.sequence || signature?.tag !== tags.bitString || more || trailing)
    return undefined;
  const [version, name, key] = members(info, tags.sequence) ?? [];
  const subject = readName(name);
  // The first octet of a bit string counts the unused bits at its end, which a signature does not have.
  if (version?.tag !== tags.integer || !subject || key?.tag !== tags.sequence || signature.content[0] !== 0)
    return undefined;
  const signed = {
    content: info.whole,
    publicKey: key.whole,
    algorithm,
    signature: signature.content.subarray(1),
  };
  return { subject, verify: () => signatureProblem(signed) };
}

const commonNameId = '2.5.4.3';
const organizationId = '2.5.4.10';

/** Name ::= SEQUENCE OF SET OF SEQUENCE { type OID, value } */
function readName(name: DerValue | undefined): CertificateRequest['subject'] | undefined {
  const sets = members(name, tags.sequence);
  if (!sets) return undefined;
  let commonName = '';
  const organizations: string[] = [];
  for (const set of sets) {
    const attributes = members(set, tags.set);
    if (!attributes) return undefined;
    for (const attribute of attributes) {
      const [type, value] = members(attribute, tags.sequence) ?? [];
      if (!type || !value) return undefined;
      const id = oidOf(type);
      if (id === commonNameId) commonName = textOf(value);
      else if (id === organizationId) organizations.push(textOf(value));
    }
  }
  return { commonName, organizations };
}

const utf8String = 0x0c;
const bmpString = 0x1e;

/** A string of any of the types that names are made of. */
function textOf({ tag, content }: DerValue): string {
  const bytes = Buffer.from(content);
  if (tag === utf8String) return bytes.toString('utf8');
  if (tag === bmpString && bytes.length % 2 === 0) return bytes.swap16().toString('utf16le');
  return bytes.toString('latin1');
}
