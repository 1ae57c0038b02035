/** Reads the alternative names that a certificate request asks for (RFC 2985 section 5.4.2, RFC 5280 section 4.2.1.6). */
import { type DerValue, members, oidOf, readDer, tags } from './der.js';
import { extension, extensionIds } from './extensions.js';
import { sequence } from './write-der.js';

/** How many names of each kind there are. */
export interface AlternativeNames {
  readonly dns: number;
  readonly addresses: number;
  readonly emails: number;
  readonly uris: number;
  /** The extension of a certificate that has these names, in DER; absent where there are none. */
  readonly extension: Uint8Array | undefined;
}

const nameTags = { email: 0x81, dns: 0x82, uri: 0x86, address: 0x87 } as const;
const extensionRequest = '1.2.840.113549.1.9.14';

/** Names of other kinds are passed over. `undefined` where attributes or names are malformed. */
export function requestedNames(attributes: DerValue | undefined): AlternativeNames | undefined {
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

/** The values of the requested extensions of a kind; `undefined` where something on the way to them is malformed. */
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
