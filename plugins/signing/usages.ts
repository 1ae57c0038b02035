/** The usages that certificate requests name, as certificates say them. */
import { keyUsageExtension, purposesExtension } from '../../runtime/codec/certificates/extensions.js';

/** Bits of the key usage (RFC 5280 section 4.2.1.3). */
const bits: ReadonlyMap<string, number> = new Map([
  ['signing', 0],
  ['digital signature', 0],
  ['content commitment', 1],
  ['key encipherment', 2],
  ['data encipherment', 3],
  ['key agreement', 4],
  ['cert sign', 5],
  ['crl sign', 6],
  ['encipher only', 7],
  ['decipher only', 8],
]);

/** Identifiers of purposes (RFC 5280 section 4.2.1.12). */
const purposes: ReadonlyMap<string, string> = new Map([
  ['any', '2.5.29.37.0'],
  ['server auth', '1.3.6.1.5.5.7.3.1'],
  ['client auth', '1.3.6.1.5.5.7.3.2'],
  ['code signing', '1.3.6.1.5.5.7.3.3'],
  ['email protection', '1.3.6.1.5.5.7.3.4'],
  ['s/mime', '1.3.6.1.5.5.7.3.4'],
  ['ipsec end system', '1.3.6.1.5.5.7.3.5'],
  ['ipsec tunnel', '1.3.6.1.5.5.7.3.6'],
  ['ipsec user', '1.3.6.1.5.5.7.3.7'],
  ['timestamping', '1.3.6.1.5.5.7.3.8'],
  ['ocsp signing', '1.3.6.1.5.5.7.3.9'],
  ['microsoft sgc', '1.3.6.1.4.1.311.10.3.3'],
  ['netscape sgc', '2.16.840.1.113730.4.1'],
]);

/** The extensions that say the usages; `undefined` where one of them is unknown. */
export function usageExtensions(usages: readonly string[]): readonly Buffer[] | undefined {
  if (!usages.every((usage) => bits.has(usage) || purposes.has(usage))) return undefined;
  const ofKey = [...new Set(usages.flatMap((usage) => bits.get(usage) ?? []))];
  const ofCertificate = [...new Set(usages.flatMap((usage) => purposes.get(usage) ?? []))];
  return [
    ...(ofKey.length === 0 ? [] : [keyUsageExtension(ofKey)]),
    ...(ofCertificate.length === 0 ? [] : [purposesExtension(ofCertificate)]),
  ];
}
