/** Writes a certificate for a server on this machine where files are to have one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readAddresses } from '../text/service-ranges.js';
import { makeOwnCertificates } from './own-certificates.js';
import { serverNames } from './server-names.js';

/** Where it is written, and the address that the server listens on. */
export interface WantedPair {
  readonly certFile: string;
  readonly keyFile: string;
  readonly host: string;
  /** The ranges of Services, in CIDR notation. */
  readonly serviceRange: string;
}

/**
 * The certificate is followed by its authority, so that who trusts the file trusts the server. Throws where nothing can
 * be written.
 */
export function writeServingPair({ certFile, keyFile, host, serviceRange }: WantedPair): void {
  const ranges = readAddresses(serviceRange);
  const names = serverNames({ host, addresses: ranges.ok ? ranges.value : [] });
  const { serving, authority } = makeOwnCertificates({ secret: undefined, names, now: Date.now() });
  mkdirSync(dirname(certFile), { recursive: true });
  writeFileSync(keyFile, serving.key, { mode: 0o600 });
  writeFileSync(certFile, `${serving.cert.trimEnd()}\n${authority}`, { mode: 0o644 });
}
