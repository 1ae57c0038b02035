/** Opens the keys of service accounts, for signing and recognizing their tokens. */
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
import type { Naming } from '../runtime/objects/names/naming.js';
import type { TokenIssuer } from '../strategies/index.js';
import { explaining } from './explain.js';
import { OptionError } from './option-error.js';
import type { ServiceAccountOptions } from './options.js';

/** The signers and verifiers of tokens. */
export interface ServiceAccounts {
  readonly issuer: TokenIssuer;
  /** Signs the tokens that secrets hold. */
  readonly secretIssuer: TokenIssuer;
  readonly authenticator: Authenticator;
  /** The keys by which others check the tokens. */
  readonly documents: readonly IssuerDocument[];
}

const defaultIssuer = 'https://platform.local';

/** Returns the audiences of tokens for a server. */
export const audiencesOf = (options: ServiceAccountOptions = {}) => options.audiences ?? issuersOf(options);

/** Returns the issuers of tokens for a server. */
export const issuersOf = ({ issuer = defaultIssuer }: ServiceAccountOptions = {}): readonly string[] =>
  typeof issuer === 'string' ? [issuer] : issuer;

/** The other sources of keys, besides the options. */
interface AccountKeys {
  readonly secret: Uint8Array | undefined;
  readonly servingKey: string | undefined;
  readonly clock: Clock | undefined;
}

/**
 * Opens the keys. `secret` belongs to the data, if the data has one. `servingKey` (PEM) verifies tokens too if no key
 * files are given. Rejects if a file has no usable key.
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
