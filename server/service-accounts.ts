/** Opens the keys of service accounts, and makes of them what signs and what recognizes their tokens. */
import { readFileSync } from 'node:fs';
import {
  defineServiceAccountTokens,
  defineTokenIssuer,
  deriveSigningKey,
  type IssuerDocument,
  issuerDocuments,
  type KeyResult,
  readCheckingKeys,
  readSigningKey,
} from '../plugins/index.js';
import type { Authenticator, Clock } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import type { TokenIssuer } from '../strategies/index.js';
import { explaining } from './explain.js';
import { OptionError } from './option-error.js';
import type { ServiceAccountOptions } from './options.js';

/** The two ends of a token's life. */
export interface ServiceAccounts {
  readonly issuer: TokenIssuer;
  /** Signs the tokens that secrets hold. */
  readonly secretIssuer: TokenIssuer;
  readonly authenticator: Authenticator;
  /** By which others check the tokens. */
  readonly documents: readonly IssuerDocument[];
}

const defaultIssuer = 'https://platform.local';

/** The audiences of tokens for a server. */
export const audiencesOf = (options: ServiceAccountOptions = {}) => options.audiences ?? issuersOf(options);

const issuersOf = ({ issuer = defaultIssuer }: ServiceAccountOptions): readonly string[] =>
  typeof issuer === 'string' ? [issuer] : issuer;

/** What keys come from besides the options. */
interface AccountKeys {
  readonly secret: Uint8Array | undefined;
  readonly servingKey: string | undefined;
  readonly clock: Clock | undefined;
}

/**
 * `secret` belongs to the data, if that has one. `servingKey` (PEM) verifies tokens too if no key files are given.
 * Rejects if a file has no key that can be used.
 */
export async function openServiceAccounts(
  options: ServiceAccountOptions = {},
  naming: Naming,
  { secret, servingKey, clock }: AccountKeys,
): Promise<ServiceAccounts> {
  const { signingKeyFile, keyFiles = [], maxSeconds, jwksUri, lookup = true } = options;
  const issuers = issuersOf(options);
  const [issuer = defaultIssuer] = issuers;
  const key =
    signingKeyFile === undefined
      ? deriveSigningKey(secret)
      : await readKey('authentication.serviceAccounts.signingKeyFile', signingKeyFile, readSigningKey);
  const others = keyFiles.map((file) => readKey('authentication.serviceAccounts.keyFiles', file, readCheckingKeys));
  const serving = keyFiles.length === 0 && servingKey !== undefined ? readCheckingKeys(servingKey) : undefined;
  // A serving key of another kind, such as Ed25519, cannot sign tokens.
  const keys = [key, ...(await Promise.all(others)).flat(), ...(serving?.ok ? serving.key : [])];
  const audiences = audiencesOf(options);
  return {
    issuer: defineTokenIssuer({ issuer, key, ...(maxSeconds === undefined ? {} : { maxSeconds }) }),
    secretIssuer: defineTokenIssuer({ issuer: naming.wellKnown.legacyTokenIssuer, key }),
    authenticator: defineServiceAccountTokens({
      issuers,
      keys,
      audiences,
      names: naming,
      lookup,
      ...(clock ? { clock: () => clock.wallMs() } : {}),
    }),
    documents: issuerDocuments({ issuer, keys, jwksUri }),
  };
}

type KeyOption = 'authentication.serviceAccounts.keyFiles' | 'authentication.serviceAccounts.signingKeyFile';

async function readKey<T>(option: KeyOption, path: string, read: (pem: string) => KeyResult<T>): Promise<T> {
  const text = await explaining(
    () => readFileSync(path, 'utf8'),
    ({ message }, nameOf) => `${nameOf(option)} ${path}: ${message}`,
  );
  const result = read(text);
  if (!result.ok) throw new OptionError((nameOf) => `${nameOf(option)} ${path}: ${result.problem}`);
  return result.key;
}
