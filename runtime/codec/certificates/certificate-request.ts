/** Reads certificate requests: PKCS#10 (RFC 2986) in PEM. */
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type DerValue, members, oidOf, readAll, readDer, tags } from './der.js';
import { extension, extensionIds } from './extensions.js';
import { pemBlocks } from './pem.js';
import { readName, type Subject } from './read-name.js';
import { sequence } from './write-der.js';

/** The subject and key to certify. */
export interface CertificateRequest {
  readonly subject: Subject;
  /** The unchanged subject, in DER. */
  readonly subjectName: Uint8Array;
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: Uint8Array;
  /** The requested alternative names; `undefined` if they are malformed. */
  readonly alternativeNames: AlternativeNames | undefined;
  /** Returns the problem of the signature, or `undefined` if it is valid. */
  readonly verify: () => string | undefined;
}

/** A request, or the reason why the bytes are not one. */
export type CertificateRequestResult =
  | { readonly ok: true; readonly request: CertificateRequest }
  | { readonly ok: false; readonly problem: string };

/** Reads the first PEM block of some bytes as a request. Checks the signature only when `verify` is called. */
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

/** Reads CertificationRequest ::= SEQUENCE { info SEQUENCE, algorithm SEQUENCE, signature BIT STRING } */
function readRequest(der: Uint8Array): CertificateRequest | undefined {
  const [outer, trailing] = readAll(der) ?? [];
  const [info, algorithm, signature, more] = members(outer, tags.sequence) ?? [];
  if (!info || algorithm?.tag !== tags.sequence || signature?.tag !== tags.bitString || more || trailing)
    return undefined;
  const [version, name, key, attributes] = members(info, tags.sequence) ?? [];
  const subject = readName(name);
  // The first octet of a bit string counts the unused bits at its end. A signature has no unused bits.
  if (version?.tag !== tags.integer || !name || !subject || key?.tag !== tags.sequence || signature.content[0] !== 0)
    return undefined;
  const signed = {
    content: info.whole,
    publicKey: key.whole,
    algorithm,
    signature: signature.content.subarray(1),
  };
  return {
    subject,
    subjectName: name.whole,
    publicKey: key.whole,
    alternativeNames: requestedNames(attributes),
    verify: () => signatureProblem(signed),
  };
}

// Reads the alternative names in a certificate request (RFC 2985 section 5.4.2, RFC 5280 section 4.2.1.6).

/** The number of names of each kind. */
interface AlternativeNames {
  readonly dns: number;
  readonly addresses: number;
  readonly emails: number;
  readonly uris: number;
  /** The certificate extension with these names, in DER; absent without names. */
  readonly extension: Uint8Array | undefined;
}

const nameTags = { email: 0x81, dns: 0x82, uri: 0x86, address: 0x87 } as const;
const extensionRequest = '1.2.840.113549.1.9.14';

/** Returns the requested names of known kinds. Returns `undefined` if attributes or names are malformed. */
function requestedNames(attributes: DerValue | undefined): AlternativeNames | undefined {
  const held = extensionValues(attributes, extensionIds.alternativeNames);
  const lists = held?.map((value) => members(readDer(value), tags.sequence));
  if (!lists || lists.length > 1 || lists.includes(undefined)) return undefined;
  const names = (lists[0] ?? []).filter(({ tag }) => Object.values(nameTags).some((one) => one === tag));
  const isSound = names.every(({ tag, content }) => tag !== nameTags.address || [4, 16].includes(content.length));
  if (!isSound) return undefined;
  const count = (wanted: number): number => names.filter(({ tag }) => tag === wanted).length;
  return {
    dns: count(nameTags.dns),
    addresses: count(nameTags.address),
    emails: count(nameTags.email),
    uris: count(nameTags.uri),
    extension:
      names.length === 0
        ? undefined
        : extension(extensionIds.alternativeNames, sequence(...names.map(({ whole }) => whole))),
  };
}

/**
 * Returns the values of the requested extensions with an id, or `undefined` if any part on the path to them is
 * malformed.
 */
function extensionValues(attributes: DerValue | undefined, id: string): readonly Uint8Array[] | undefined {
  if (attributes === undefined) return [];
  const values: Uint8Array[] = [];
  for (const attribute of members(attributes, tags.context0) ?? [undefined]) {
    const [type, set] = members(attribute, tags.sequence) ?? [];
    if (!type) return undefined;
    if (oidOf(type) !== extensionRequest) continue;
    const [list] = members(set, tags.set) ?? [];
    for (const one of members(list, tags.sequence) ?? [undefined]) {
      const parts = members(one, tags.sequence);
      const value = parts?.at(-1);
      if (!parts || value?.tag !== tags.octetString) return undefined;
      if (oidOf(parts[0]) === id) values.push(value.content);
    }
  }
  return values;
}

type KeyType = 'rsa' | 'ec' | 'ed25519';

interface Algorithm {
  readonly key: KeyType;
  /** Name of the hash; absent if the algorithm includes one. */
  readonly hash?: string;
  /** Whether it is RSA with PSS padding; its parameters name the hash. */
  readonly pss?: boolean;
}

/** The accepted algorithms by object identifier. They never use MD5 or older hashes. */
const algorithms: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  ['1.2.840.113549.1.1.5', { key: 'rsa', hash: 'sha1' }],
  ['1.2.840.113549.1.1.10', { key: 'rsa', pss: true }],
  ['1.2.840.113549.1.1.11', { key: 'rsa', hash: 'sha256' }],
  ['1.2.840.113549.1.1.12', { key: 'rsa', hash: 'sha384' }],
  ['1.2.840.113549.1.1.13', { key: 'rsa', hash: 'sha512' }],
  ['1.2.840.10045.4.1', { key: 'ec', hash: 'sha1' }],
  ['1.2.840.10045.4.3.2', { key: 'ec', hash: 'sha256' }],
  ['1.2.840.10045.4.3.3', { key: 'ec', hash: 'sha384' }],
  ['1.2.840.10045.4.3.4', { key: 'ec', hash: 'sha512' }],
  ['1.3.101.112', { key: 'ed25519' }],
]);

const pssHashes: ReadonlyMap<string, string> = new Map([
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
]);

/** The signed content, the key and the algorithm; all as DER. */
interface Signed {
  readonly content: Uint8Array;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  /** AlgorithmIdentifier. */
  readonly algorithm: DerValue;
  readonly signature: Uint8Array;
}

/** Returns the problem of a signature, or `undefined` if it is valid. Takes about 0.1 ms. */
function signatureProblem(signed: Signed): string | undefined {
  const parts = members(signed.algorithm, tags.sequence);
  const algorithm = algorithms.get(oidOf(parts?.[0]));
  if (!algorithm) return 'x509: cannot verify signature: algorithm unimplemented';
  const hash = algorithm.pss ? pssHash(parts?.[1]) : algorithm.hash;
  if (algorithm.pss && hash === undefined) return 'x509: cannot verify signature: algorithm unimplemented';
  const key = publicKeyOf(signed.publicKey);
  if (!key) return 'x509: cannot verify signature: algorithm unimplemented';
  if (key.asymmetricKeyType !== algorithm.key) {
    return `x509: signature algorithm specifies an ${algorithm.key} public key, but have public key of type ${key.asymmetricKeyType}`;
  }
  return isGood(signed, key, hash, algorithm.pss === true) ? undefined : `x509: ${algorithm.key} verification failure`;
}

function isGood({ content, signature }: Signed, key: KeyObject, hash: string | undefined, pss: boolean): boolean {
  const padding = pss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } : {};
  try {
    return verify(hash ?? null, content, { key, ...padding }, signature);
  } catch {
    // The signature does not have the form that the algorithm requires.
    return false;
  }
}

/** Returns the hash that the parameters of PSS name. */
function pssHash(parameters: DerValue | undefined): string | undefined {
  const named = members(parameters, tags.sequence)?.find(({ tag }) => tag === tags.context0);
  const [identifier] = members(named, tags.context0) ?? [];
  return pssHashes.get(oidOf(members(identifier, tags.sequence)?.[0]));
}

/** Reads a key in SPKI; returns `undefined` if the bytes are not one. */
export function publicKeyOf(der: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}
