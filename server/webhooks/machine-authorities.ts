/** The authorities that the machine trusts. Finds them as Go programs do on Linux. */
import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Reloaded, reloaded } from '../transport/reloaded.js';

/** Files in which systems keep their authorities, the most common ones first. */
const systemFiles: readonly string[] = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** The variables that name authorities. Empty ones count as absent. */
export interface AuthorityVariables {
  /** A PEM file instead of the system's file. */
  readonly SSL_CERT_FILE?: string | undefined;
  /** Folders with further PEM files, separated by colons. They are read once. */
  readonly SSL_CERT_DIR?: string | undefined;
}

/**
 * Returns the authorities in PEM: the file of `SSL_CERT_FILE`, else the system's file, and the certificates in the
 * folders of `SSL_CERT_DIR`. Returns `undefined` if there are none. Throws if the file of `SSL_CERT_FILE` cannot be
 * read.
 */
export function machineAuthorities(
  { SSL_CERT_FILE: named, SSL_CERT_DIR: folders = '' }: AuthorityVariables = process.env,
  files = systemFiles,
): Reloaded<string> | undefined {
  const path = named || files.find((file) => existsSync(file));
  const inFolders = folders === '' ? '' : certificatesIn(folders.split(':'));
  if (path === undefined && inFolders === '') return undefined;
  const read = (): string => `${path === undefined ? '' : readFileSync(path, 'utf8')}${inFolders}`;
  return reloaded(path === undefined ? [] : [path], read);
}

let ofEnvironment: { readonly authorities: string | undefined } | undefined;

/**
 * Returns the authorities if a variable of the environment names any, and `undefined` otherwise. They are read once.
 */
export function namedAuthorities(): string | undefined {
  const { SSL_CERT_FILE, SSL_CERT_DIR } = process.env;
  if (!SSL_CERT_FILE && !SSL_CERT_DIR) return undefined;
  ofEnvironment ??= { authorities: machineAuthorities()?.current() };
  return ofEnvironment.authorities;
}

const blocks = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Returns each certificate once. Skips everything else, because folders may also have other files. */
function certificatesIn(folders: readonly string[]): string {
  const texts = folders.flatMap(filesIn).flatMap((path) => readIfPossible(path).match(blocks) ?? []);
  return [...new Set(texts)]
    .filter(isCertificate)
    .map((text) => `\n${text}\n`)
    .join('');
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function readIfPossible(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}
