/** The names and addresses that a server is reached by, for the certificate that it makes. */
import { hostname, networkInterfaces } from 'node:os';
import { type IpRange, ipNumber, ipText } from '../../runtime/objects/addresses/ip-range.js';

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
