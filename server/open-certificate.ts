/** Opens the certificate that a server shows of itself. */
import { readFileSync } from 'node:fs';
import type { ServerCertificate } from '../runtime/server/index.js';
import { explaining } from './explain.js';

/** Files with the certificate, its chain behind it, and with its key; both in PEM. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Reads files where it is given in such; rejects where one cannot be used, or they are no pair. */
export async function openCertificate(given: ServerCertificate | CertificateFiles): Promise<ServerCertificate> {
  const { createSecureContext } = await import('node:tls');
  if ('cert' in given) {
    await explaining(
      () => createSecureContext({ cert: given.cert, key: given.key }),
      ({ message }, nameOf) => `${nameOf('tls')}: ${message}`,
    );
    return given;
  }
  const { certFile, keyFile } = given;
  const cert = await read('tls.certFile', certFile);
  const key = await read('tls.keyFile', keyFile);
  await explaining(
    () => createSecureContext({ cert, key }),
    ({ message }, nameOf) =>
      `${nameOf('tls.certFile')} ${certFile} with ${nameOf('tls.keyFile')} ${keyFile}: ${message}`,
  );
  return { cert, key };
}

const read = (option: 'tls.certFile' | 'tls.keyFile', path: string): Promise<Buffer> =>
  explaining(
    () => readFileSync(path),
    ({ message }, nameOf) => `${nameOf(option)} ${path}: ${message}`,
  );
