/** The credentials that a server shows to webhooks: those of a user in a kubeconfig. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { credentialHeaders, type PemSource, type UserCredentials } from '../../client/connection/kubeconfig.js';

/** The credentials that this server shows of itself to a webhook. */
export interface ShownCredentials {
  /** PEM. */
  readonly cert?: string;
  readonly key?: string;
  /** Read again for each call: tokens in files change. Throws where a file is gone. */
  readonly headers: () => Readonly<Record<string, string>>;
}

/** Reads the credentials of a user, and the files that they name, relative to a folder. Throws where one cannot be used. */
export function shownBy(user: UserCredentials, folder: string): ShownCredentials {
  const { certificate, key, tokenFile } = user;
  if ((certificate === undefined) !== (key === undefined)) {
    throw new Error('client-certificate and client-key must be given together');
  }
  const headers = (): Readonly<Record<string, string>> =>
    tokenFile === undefined
      ? credentialHeaders(user)
      : { authorization: `Bearer ${readFileSync(resolve(folder, tokenFile), 'utf8').trim()}` };
  headers();
  return {
    headers,
    ...(certificate === undefined ? {} : { cert: pemOf(certificate, folder) }),
    ...(key === undefined ? {} : { key: pemOf(key, folder) }),
  };
}

/** Reads PEM, from a file that is named relative to a folder where it is not given in place. Throws where it is gone. */
export const pemOf = (source: PemSource, folder: string): string =>
  'pem' in source ? source.pem : readFileSync(resolve(folder, source.path), 'utf8');
