/** The certificate of a conversion webhook: one that is given, or its own, whose authority a folder keeps. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerCertificate } from '../../../runtime/server/index.js';
import { OptionError } from '../../option-error.js';
import { openCertificate } from '../../transport/certificate-files.js';
import { makeOwnCertificates } from '../../transport/own-certificates.js';
import { constant, type Reloaded } from '../../transport/reloaded.js';
import { serverNames } from '../../transport/server-names.js';
import type { CertificateFiles } from '../../transport/tls-option.js';

export interface WebhookCertificateOptions {
  /** Files of the certificate and its key. */
  readonly files?: CertificateFiles | undefined;
  /** File of the authority that signed it; one that everybody trusts where absent. */
  readonly authorityFile?: string | undefined;
  /** Folder that keeps the authority of its own certificates, which are then trusted after a restart, too. */
  readonly folder?: string | undefined;
  /** The address that it listens on. */
  readonly host: string;
  /** Further names that it is reached by. */
  readonly names: readonly string[];
}

export interface WebhookCertificate {
  readonly certificate: Reloaded<ServerCertificate>;
  /** The authorities that clients have to trust, in PEM; absent where they are not known. */
  readonly authority: string | undefined;
}

/** Throws an `OptionError` where a file cannot be used. */
export function openWebhookCertificate(options: WebhookCertificateOptions): WebhookCertificate {
  const { files, authorityFile, folder, host, names } = options;
  if (files) {
    const option = { cert: 'tls.certificate.certFile', key: 'tls.certificate.keyFile' } as const;
    const authority = authorityFile === undefined ? undefined : readAuthority(authorityFile);
    return { certificate: openCertificate(files, option), authority };
  }
  const { secret, kept } = folder === undefined ? { secret: undefined, kept: undefined } : keptAuthority(folder);
  const all = serverNames({ host, names, addresses: [] });
  const { serving, authority } = makeOwnCertificates({ secret, kept, names: all, now: Date.now() });
  if (folder !== undefined) writeFileSync(join(folder, authorityName), authority, { mode: 0o644 });
  return { certificate: constant(serving), authority };
}

function readAuthority(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new OptionError(() => `the authority ${path} cannot be read: ${message}`, { cause: error });
  }
}

const authorityName = 'ca.crt';
const secretName = 'ca.secret';

/** The secret in a folder that the key of an authority follows from; it is made the first time. */
function keptAuthority(folder: string): { readonly secret: Uint8Array; readonly kept: string | undefined } {
  mkdirSync(folder, { recursive: true });
  const secretFile = join(folder, secretName);
  // Two that start at the same time must not make up two.
  if (!existsSync(secretFile)) writeFileSync(secretFile, randomBytes(32), { mode: 0o600, flag: 'wx' });
  const authorityFile = join(folder, authorityName);
  const kept = existsSync(authorityFile) ? readFileSync(authorityFile, 'utf8') : undefined;
  return { secret: readFileSync(secretFile), kept };
}
