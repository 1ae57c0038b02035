/** The certificates that a server makes: its own, and the administrator's, each with the authority that signs it. */
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

/** The certificates, all in PEM. */
export interface OwnCertificates {
  /** The authority of the server's certificate, which clients trust. */
  readonly authority: string;
  readonly serving: KeyPair;
  /** The authority of client certificates. */
  readonly clientAuthority: string;
  /** The same authority, to sign for keys that others have made. */
  readonly signing: SigningAuthority;
  readonly administrator: KeyPair;
  /** When to make new ones, in milliseconds since 1970. */
  readonly renewAt: number;
}

export interface OwnCertificateOptions {
  /** Both authorities follow from it: they are the same for the same data. Made up where there is none. */
  readonly secret: Uint8Array | undefined;
  /** An earlier certificate of the server's authority, which stays as long as it can. */
  readonly kept?: string | undefined;
  readonly names: readonly string[];
  readonly now: number;
}

/** The name of the authority of client certificates. */
export const clientAuthorityName = 'kindforge-client-ca';

const dayMs = 86_400_000;
const lifeMs = 365 * dayMs;

/** Makes them; takes some 2 ms. */
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

/** Where a server is. */
export interface ServerPlace {
  /** The address that it listens on. */
  readonly host: string;
  /** Names that the options add. */
  readonly names?: readonly string[] | undefined;
  /** The ranges of addresses of Services. */
  readonly addresses: readonly IpRange[];
}

/** Programs in a cluster find the server by its service. */
const serviceNames = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];

/** The names in the order in which a certificate has them, each once. */
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

/** Those of the machine where it listens on all of them. */
function addressesOf(host: string): readonly string[] {
  if (ipNumber(host)?.value !== 0n) return [host];
  const all = Object.values(networkInterfaces()).flatMap((some = []) => some);
  return all.map(({ address }) => address).filter((address) => !/^fe80:/i.test(address));
}

/** Whether a text can be a name or address in a certificate; its first label may be `*`. */
export function isServerName(text: string): boolean {
  if (ipNumber(text)) return true;
  return (
    text.length <= 253 &&
    /^(\*\.)?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i.test(text)
  );
}
