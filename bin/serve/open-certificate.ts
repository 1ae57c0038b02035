/** Opens the certificate that `kindforge serve` shows of itself. */
import { readFileSync } from 'node:fs';
import type { ServerCertificate } from '../../runtime/server/index.js';
import { explaining } from './explain.js';

/** Where the certificate and its key are, in PEM. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Reads both files; rejects where one cannot be used, or they are no pair. */
export async function openCertificate({ certFile, keyFile }: CertificateFiles): Promise<ServerCertificate> {
  const cert = await read('--tls-cert-file', certFile);
  const key = await read('--tls-private-key-file', keyFile);
  const { createSecureContext } = await import('node:tls');
  await explaining(
    () => createSecureContext({ cert, key }),
    ({ message }) => `--tls-cert-file ${certFile} with --tls-private-key-file ${keyFile}: ${message}`,
  );
  return { cert, key };
}

const read = (flag: string, path: string): Promise<Buffer> =>
  explaining(
    () => readFileSync(path),
    ({ message }) => `${flag} ${path}: ${message}`,
  );
