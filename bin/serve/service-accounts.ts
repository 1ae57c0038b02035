/** Opens the keys of `kindforge serve` and makes of them what signs and what recognizes tokens of service accounts. */
import { readFileSync } from 'node:fs';
import {
  defineServiceAccountTokens,
  defineTokenIssuer,
  deriveSigningKey,
  type KeyResult,
  readCheckingKey,
  readSigningKey,
} from '../../plugins/index.js';
import type { Authenticator } from '../../runtime/contract/index.js';
import type { TokenIssuer } from '../../strategies/index.js';
import { explaining } from './explain.js';
import type { Settings } from './settings.js';

/** The two ends of a token's life. */
export interface ServiceAccounts {
  readonly issuer: TokenIssuer;
  readonly authenticator: Authenticator;
}

/** `secret` belongs to the data, where that has one. Rejects where a file has no key that can be used. */
export async function openServiceAccounts(
  { serviceAccounts, naming }: Pick<Settings, 'serviceAccounts' | 'naming'>,
  secret: Uint8Array | undefined,
): Promise<ServiceAccounts> {
  const { issuer, audiences, signingKeyFile, keyFiles, maxSeconds } = serviceAccounts;
  const key =
    signingKeyFile === undefined
      ? deriveSigningKey(secret)
      : await readKey('--service-account-signing-key-file', signingKeyFile, readSigningKey);
  const others = keyFiles.map((file) => readKey('--service-account-key-file', file, readCheckingKey));
  const keys = [key, ...(await Promise.all(others))];
  return {
    issuer: defineTokenIssuer({ issuer, key, ...(maxSeconds === undefined ? {} : { maxSeconds }) }),
    authenticator: defineServiceAccountTokens({ issuers: [issuer], keys, audiences, names: naming }),
  };
}

async function readKey<T>(flag: string, path: string, read: (pem: string) => KeyResult<T>): Promise<T> {
  const text = await explaining(
    () => readFileSync(path, 'utf8'),
    ({ message }) => `${flag} ${path}: ${message}`,
  );
  const result = read(text);
  if (!result.ok) throw new Error(`${flag} ${path}: ${result.problem}`);
  return result.key;
}
