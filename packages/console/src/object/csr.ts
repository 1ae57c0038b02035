/** Reads a certificate request (PKCS#10, RFC 2986), so that people see what they approve. */
import { type DerNode, oidOf, readDer, tags, textOf } from './der.js';

export interface CertificateRequest {
  /** As in `CN=jane, O=system:masters`. */
  readonly subject: string;
  /** As in `RSA, 2048 bits`. */
  readonly key: string;
  /** As in `DNS: example.com`. */
  readonly names: readonly string[];
  /** Uses of the key, as in `client auth`. */
  readonly usages: readonly string[];
  /** Whether the request asks for a certificate that signs others. */
  readonly isAuthority: boolean;
}

/** Reads a PEM in base64, as in `spec.request`. Throws a TypeError if it is not a request. */
export function readCertificateRequest(request: string): CertificateRequest {
  const pem = decoded(request);
  const body = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([\s\S]*?)-----END/.exec(pem)?.[1];
  if (body === undefined) throw new TypeError('it has no CERTIFICATE REQUEST');
  const [info] = readDer(Uint8Array.from(decoded(body), (character) => character.charCodeAt(0))).parts;
  const [, subject, key, attributes] = info?.parts ?? [];
  if (!subject || !key) throw new TypeError('it is not a certificate request');
  const extensions = extensionsOf(attributes);
  return {
    subject: subjectOf(subject),
    key: keyOf(key),
    names: extensions.get(oids.altNames)?.parts.map(nameOf) ?? [],
    usages: [...usagesOf(extensions.get(oids.usage)), ...extendedOf(extensions.get(oids.extendedUsage))],
    isAuthority: extensions.get(oids.constraints)?.parts.some(({ tag, bytes }) => tag === 1 && bytes[0] !== 0) ?? false,
  };
}

function decoded(base64: string): string {
  try {
    return atob(base64.replaceAll(/\s/g, ''));
  } catch {
    throw new TypeError('it is not base64');
  }
}

const oids = { altNames: '2.5.29.17', usage: '2.5.29.15', extendedUsage: '2.5.29.37', constraints: '2.5.29.19' };
const extensionRequest = '1.2.840.113549.1.9.14';

const attributeNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'street',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.17': 'postalCode',
  '1.2.840.113549.1.9.1': 'email',
};

const subjectOf = ({ parts }: DerNode): string =>
  parts
    .flatMap((set) => set.parts)
    .flatMap(({ parts: [type, value] }) =>
      type && value ? [`${attributeNames[oidOf(type)] ?? oidOf(type)}=${textOf(value)}`] : [],
    )
    .join(', ');

const curves: Readonly<Record<string, string>> = {
  '1.2.840.10045.3.1.7': 'P-256',
  '1.3.132.0.34': 'P-384',
  '1.3.132.0.35': 'P-521',
};

function keyOf({ parts: [algorithm, value] }: DerNode): string {
  const [type, parameter] = algorithm?.parts ?? [];
  const oid = type ? oidOf(type) : '';
  if (oid === '1.2.840.113549.1.1.1' && value) return `RSA, ${rsaBits(value)} bits`;
  if (oid === '1.2.840.10045.2.1') {
    const curve = parameter?.tag === tags.oid ? oidOf(parameter) : '';
    return `ECDSA, ${curves[curve] ?? curve}`;
  }
  return oid === '1.3.101.112' ? 'Ed25519' : oid;
}

/** Returns the length of the modulus, without the byte that keeps it positive. */
function rsaBits({ bytes }: DerNode): number {
  const modulus = readDer(bytes.subarray(1)).parts[0]?.bytes ?? new Uint8Array();
  const digits = modulus.subarray(modulus.findIndex((byte) => byte !== 0));
  return digits.length * 8 - Math.clz32(digits[0] ?? 0) + 24;
}

function extensionsOf(attributes: DerNode | undefined): ReadonlyMap<string, DerNode> {
  const found = new Map<string, DerNode>();
  for (const {
    parts: [type, values],
  } of attributes?.parts ?? []) {
    if (!type || !values || oidOf(type) !== extensionRequest) continue;
    for (const { parts } of values.parts[0]?.parts ?? []) {
      const value = parts.at(-1);
      if (parts[0] && value?.tag === tags.octets) found.set(oidOf(parts[0]), readDer(value.bytes));
    }
  }
  return found;
}

/** Names by the number of their choice (RFC 5280 section 4.2.1.6). */
function nameOf(node: DerNode): string {
  const { bytes } = node;
  const choice = node.tag & 0x1f;
  if (choice === 1) return `Email: ${textOf(node)}`;
  if (choice === 2) return `DNS: ${textOf(node)}`;
  if (choice === 6) return `URI: ${textOf(node)}`;
  if (choice === 7) return `IP: ${bytes.length === 4 ? bytes.join('.') : ipv6Of(bytes)}`;
  return `name of type ${choice}`;
}

const ipv6Of = (bytes: Uint8Array): string =>
  Array.from({ length: bytes.length / 2 }, (_, i) =>
    ((bytes[2 * i] ?? 0) * 256 + (bytes[2 * i + 1] ?? 0)).toString(16),
  ).join(':');

const usageBits = [
  'digital signature',
  'content commitment',
  'key encipherment',
  'data encipherment',
  'key agreement',
  'cert sign',
  'crl sign',
];

/** Reads bits from the left. The first byte is the number of unused bits. */
const usagesOf = (node: DerNode | undefined): string[] =>
  node ? usageBits.filter((_, i) => (((node.bytes[1] ?? 0) >> (7 - i)) & 1) === 1) : [];

const extended: Readonly<Record<string, string>> = {
  '1.3.6.1.5.5.7.3.1': 'server auth',
  '1.3.6.1.5.5.7.3.2': 'client auth',
  '1.3.6.1.5.5.7.3.3': 'code signing',
};

const extendedOf = (node: DerNode | undefined): string[] =>
  (node?.parts ?? []).map((part) => extended[oidOf(part)] ?? oidOf(part));
