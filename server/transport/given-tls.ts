/** Opens the TLS files of the options: certificates of the server, and authorities of clients. */
import type { X509Certificate } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readAuthorities } from '../../plugins/index.js';
import type { ServerCertificate } from '../../runtime/server/index.js';
import type { AuthenticationOptions } from '../access-options.js';
import { readGiven } from '../explain.js';
import { OptionError, type OptionName } from '../option-error.js';
import { readAddresses } from '../text/limits.js';
import { namesOf, openCertificate } from './certificate-files.js';
import { makeOwnCertificates, serverNames } from './own-certificates.js';
import { type Reloaded, reloaded } from './reloaded.js';
import type { TlsOption } from './tls-option.js';

/** The certificates in the options. The server makes the absent ones. */
export interface GivenTls {
  readonly certificate: Reloaded<ServerCertificate> | undefined;
  readonly named: readonly NamedCertificate[];
  readonly clientAuthorities: Reloaded<readonly X509Certificate[]> | undefined;
  /** The authorities of proxies that name the user. */
  readonly proxyAuthorities: Reloaded<readonly X509Certificate[]> | undefined;
}

interface NamedCertificate {
  readonly patterns: readonly string[] | undefined;
  readonly certificate: Reloaded<ServerCertificate>;
}

const mainFiles = { cert: 'tls.certificate.certFile', key: 'tls.certificate.keyFile' } as const;
const namedFiles = { cert: 'tls.named', key: 'tls.named' } as const;

/** Throws an `OptionError` if a file cannot be used. `followed` authorities replace authorities in files. */
export function openGivenTls(
  tls: TlsOption,
  { clientCaFile, requestHeader }: AuthenticationOptions = {},
  followed?: Pick<GivenTls, 'clientAuthorities' | 'proxyAuthorities'>,
): GivenTls {
  return {
    certificate: tls.certificate && openCertificate(tls.certificate, mainFiles),
    named: (tls.named ?? []).map(({ patterns, ...files }) => ({
      patterns,
      certificate: openCertificate(files, namedFiles),
    })),
    clientAuthorities: followed?.clientAuthorities ?? openAuthorities('authentication.clientCaFile', clientCaFile),
    proxyAuthorities:
      followed?.proxyAuthorities ??
      openAuthorities('authentication.requestHeader.clientCaFile', requestHeader?.clientCaFile),
  };
}

function openAuthorities(
  option: OptionName,
  path: string | undefined,
): Reloaded<readonly X509Certificate[]> | undefined {
  return path === undefined ? undefined : reloaded([path], () => readAuthorityFile(option, path));
}

function readAuthorityFile(option: OptionName, path: string): readonly X509Certificate[] {
  const result = readAuthorities(readGiven(option, path));
  if (result.ok) return result.authorities;
  throw new OptionError((nameOf) => `${nameOf(option)} ${path}: ${result.problem}`);
}

/**
 * Returns the certificates by the names that clients ask for. The first match counts. Patterns in the options come
 * before names in certificates.
 */
export function certificatesByName(named: readonly NamedCertificate[]): ReadonlyMap<string, ServerCertificate> {
  const byName = new Map<string, ServerCertificate>();
  const add = (names: readonly string[], certificate: ServerCertificate): void => {
    for (const name of names) if (!byName.has(name)) byName.set(name, certificate);
  };
  for (const { patterns, certificate } of named) {
    if (patterns)
      add(
        patterns.map((one) => one.toLowerCase()),
        certificate.current(),
      );
  }
  for (const { patterns, certificate } of named) {
    if (!patterns) add(namesOf(certificate.current()), certificate.current());
  }
  return byName;
}

/** The paths of the files, and the address of the server. */
export interface WantedPair {
  readonly certFile: string;
  readonly keyFile: string;
  readonly host: string;
  /** The ranges of Services, in CIDR notation. */
  readonly serviceRange: string;
}

/**
 * Writes a certificate and its key. Its file also has the authority, so clients that trust the file trust the server.
 * Throws if the files cannot be written.
 */
export function writeServingPair({ certFile, keyFile, host, serviceRange }: WantedPair): void {
  const ranges = readAddresses(serviceRange);
  const names = serverNames({ host, addresses: ranges.ok ? ranges.value : [] });
  const { serving, authority } = makeOwnCertificates({ secret: undefined, names, now: Date.now() });
  mkdirSync(dirname(certFile), { recursive: true });
  writeFileSync(keyFile, serving.key, { mode: 0o600 });
  writeFileSync(certFile, `${serving.cert.trimEnd()}\n${authority}`, { mode: 0o644 });
}
