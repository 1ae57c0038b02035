/** Opens the server's certificates. */
import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { ServerCertificate } from '../../runtime/server/index.js';
import { readGiven } from '../explain.js';
import { OptionError, type OptionName } from '../option-error.js';
import { constant, type Reloaded, reloaded } from './reloaded.js';
import type { CertificateFiles } from './tls-option.js';

/** The options with the paths of the files. */
export interface FileOptions {
  readonly cert: OptionName;
  readonly key: OptionName;
}

/** Throws an `OptionError` if a file cannot be used, or if the certificate and the key do not match. */
export function openCertificate(
  given: ServerCertificate | CertificateFiles,
  options: FileOptions,
): Reloaded<ServerCertificate> {
  if ('cert' in given) {
    checkPair(given, (nameOf) => nameOf('tls.certificate'));
    return constant(given);
  }
  const { certFile, keyFile } = given;
  return reloaded([certFile, keyFile], () => {
    const pair = { cert: readGiven(options.cert, certFile), key: readGiven(options.key, keyFile) };
    // Names an option once if it has both files.
    const what = (nameOf: (option: OptionName) => string): string =>
      options.cert === options.key
        ? `${nameOf(options.cert)} ${certFile},${keyFile}`
        : `${nameOf(options.cert)} ${certFile} with ${nameOf(options.key)} ${keyFile}`;
    checkPair(pair, what);
    return pair;
  });
}

function checkPair({ cert, key }: ServerCertificate, what: (nameOf: (option: OptionName) => string) => string): void {
  try {
    // Without a list of authorities, Node would parse all public ones.
    createSecureContext({ cert, key, ca: [] });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new OptionError((nameOf) => `${what(nameOf)}: ${message}`, { cause: error });
  }
}

/** Returns the names in a certificate, in lower case. */
export function namesOf({ cert }: ServerCertificate): readonly string[] {
  const { subjectAltName = '' } = new X509Certificate(cert);
  return [...subjectAltName.matchAll(/(?:^|, )DNS:([\w.*-]+)(?=, |$)/g)].map(([, name = '']) => name.toLowerCase());
}
