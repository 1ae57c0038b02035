/** The certificates that a server makes: its own one and the administrator's, each with its authority. */
import { hostname, networkInterfaces } from 'node:os';
import {
  type Authority,
  administratorUser,
  clockToleranceMs,
  defineAuthority,
  type KeyPair,
  type SigningAuthority,
} from '../../plugins/index.js';
import { type IpRange, ipNumber, ipText } from '../../runtime/objects/ip-address.js';

export interface OwnCertificates {
  /** The authority of the server's certificate. Clients trust it. */
  readonly authority: string;
  readonly serving: KeyPair;
  /** The authority of client certificates. */
  readonly clientAuthority: string;
  /** The same authority, to sign other keys. */
  readonly signing: SigningAuthority;
  readonly administrator: KeyPair;
  /** The time of the renewal, in milliseconds since 1970. */
  readonly renewAt: number;
}

export interface OwnCertificateOptions {
  /** The source of both authorities, so that the same data has the same authorities. If absent, they are random. */
  readonly secret: Uint8Array | undefined;
  /** An earlier certificate of the server's authority. It stays in use while it is valid. */
  readonly kept?: string | undefined;
  readonly names: readonly string[];
  readonly now: number;
}

/** The name of the authority of client certificates. */
export const clientAuthorityName = 'kindforge-client-ca';

const dayMs = 86_400_000;
const lifeMs = 365 * dayMs;

/** Makes the certificates, in about 2 ms. */
export function makeOwnCertificates({ secret, kept, names, now }: OwnCertificateOptions): OwnCertificates {
  const authority = defineAuthority({ secret, name: 'kindforge-ca', kept, now });
  const clients = defineAuthority({ secret, name: clientAuthorityName, now });
  const issue = (
    by: Authority,
    contents: Pick<Parameters<Authority['issue']>[0], 'subject' | 'use' | 'names'>,
  ): KeyPair =>
    by.issue({ ...contents, notBefore: new Date(now - clockToleranceMs), notAfter: new Date(now + lifeMs) });
  const organizations = administratorUser.groups.filter((group) => group !== 'system:authenticated');
  return {
    authority: authority.certificate,
    serving: issue(authority, { subject: { commonName: 'kindforge', organizations: [] }, use: 'server', names }),
    clientAuthority: clients.certificate,
    signing: clients.signing,
    administrator: issue(clients, { subject: { commonName: administratorUser.name, organizations }, use: 'client' }),
    renewAt: now + (lifeMs * 2) / 3,
  };
}

/** The address and names of a server. */
export interface ServerPlace {
  /** The address that it listens on. */
  readonly host: string;
  /** Additional names from the options. */
  readonly names?: readonly string[] | undefined;
  /** The ranges of addresses of Services. */
  readonly addresses: readonly IpRange[];
}

/** The names by which programs in a cluster find the server. */
const serviceNames = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];

/** Returns the names for a certificate, in order and without repeats. */
export function serverNames({ host, names = [], addresses }: ServerPlace): readonly string[] {
  const service = addresses.map(({ family, first }) => ipText({ family, value: first + 1n }));
  const own = [
    'localhost',
    '127.0.0.1',
    '::1',
    hostname().toLowerCase(),
    ...addressesOf(host),
    ...serviceNames,
    ...service,
  ];
  return [...new Set([...own.filter(isServerName), ...names])];
}

/** Returns the addresses of a host; for a wildcard address, all addresses of the machine. */
function addressesOf(host: string): readonly string[] {
  if (ipNumber(host)?.value !== 0n) return [host];
  const all = Object.values(networkInterfaces()).flatMap((some = []) => some);
  return all.map(({ address }) => address).filter((address) => !/^fe80:/i.test(address));
}

/** Reports whether a text can be a name or an address in a certificate. Its first label may be `*`. */
export function isServerName(text: string): boolean {
  if (ipNumber(text)) return true;
  return (
    text.length <= 253 &&
    /^(\*\.)?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i.test(text)
  );
}
