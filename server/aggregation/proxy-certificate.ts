/** The certificate that this server shows to the servers behind it, and the authority with which they verify it. */
import { randomBytes } from 'node:crypto';
import { clockToleranceMs, defineAuthority, type KeyPair } from '../../plugins/index.js';
import type { Follow } from '../transport/reloaded.js';
import type { CertificateFiles } from '../transport/tls-option.js';

/** The common name in the certificate that the server makes. */
export const proxyName = 'front-proxy-client';

export interface ProxyCertificate {
  /** Returns the current certificate and key, in PEM. */
  readonly current: () => KeyPair;
  /** Returns the authority (PEM) that signed it; absent if an option sets the certificate. */
  readonly authority?: () => string;
}

const files = { cert: 'aggregation.proxyCertificate.certFile', key: 'aggregation.proxyCertificate.keyFile' } as const;

const lifeMs = 365 * 86_400_000;

/**
 * Opens the certificate in the files, or makes one. Its authority is derived from `secret`, or random without one.
 * Rejects with an `OptionError` if a file cannot be used.
 */
export async function openProxyCertificate(
  given: CertificateFiles | undefined,
  secret: Uint8Array | undefined,
  follow: Follow,
  now: () => number = Date.now,
): Promise<ProxyCertificate> {
  if (given) {
    // Only servers with such files load TLS for them.
    const { openCertificate } = await import('../transport/certificate-files.js');
    const pair = openCertificate(given, files);
    follow(pair);
    return { current: () => ({ cert: String(pair.current().cert), key: String(pair.current().key) }) };
  }
  const from = secret ?? randomBytes(32);
  let made: (KeyPair & { readonly authority: string; readonly renewAt: number }) | undefined;
  const own = () => {
    if (made && now() < made.renewAt) return made;
    const time = now();
    const authority = defineAuthority({
      secret: from,
      name: 'kindforge-front-proxy-ca',
      kept: made?.authority,
      now: time,
    });
    const pair = authority.issue({
      subject: { commonName: proxyName, organizations: [] },
      use: 'client',
      notBefore: new Date(time - clockToleranceMs),
      notAfter: new Date(time + lifeMs),
    });
    made = { ...pair, authority: authority.certificate, renewAt: time + (lifeMs * 2) / 3 };
    return made;
  };
  return { current: own, authority: () => own().authority };
}
