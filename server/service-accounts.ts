/** Opens the keys of service accounts, for signing and recognizing their tokens. */
import { readFileSync } from 'node:fs';
import {
  defineServiceAccountTokens,
  defineTokenIssuer,
  deriveSigningKey,
  type ExternalSigner,
  type IssuerDocument,
  issuerDocuments,
  type KeyResult,
  openExternalSigner,
  readCheckingKeys,
  readSigningKey,
  type ServiceAccountTokensOptions,
} from '../plugins/index.js';
import type { Authenticator, Clock } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import type { TokenIssuer } from '../strategies/index.js';
import type { ServiceAccountOptions } from './access-options.js';
import { explaining } from './explain.js';
import { OptionError, withPackages } from './option-error.js';
import type { OnProblem } from './options.js';

/** The signers and verifiers of tokens. */
export interface ServiceAccounts {
  readonly issuer: TokenIssuer;
  /** Signs the tokens that secrets hold. */
  readonly secretIssuer: TokenIssuer;
  readonly authenticator: Authenticator;
  /** The keys with which others check the tokens. */
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
  readonly featureEnabled: (gate: string) => boolean;
  /** Receives each use of a token. */
  readonly onUse?: ServiceAccountTokensOptions['onUse'];
  readonly onProblem: OnProblem;
  /** Receives a function that ends the connection to an external signer. */
  readonly onEnd: (end: () => void) => void;
}

/**
 * Opens the keys. `secret` belongs to the data, if the data has one. `servingKey` (PEM) verifies tokens, too, if the
 * options have no key files. Rejects if a file has no usable key.
 */
export async function openServiceAccounts(
  options: ServiceAccountOptions = {},
  naming: Naming,
  { secret, servingKey, clock, onUse, ...outside }: AccountKeys,
): Promise<ServiceAccounts> {
  const { signingKeyFile, keyFiles = [], jwksUri, lookup = true } = options;
  const signer = await openSigner(options, outside);
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
  const maxSeconds = options.maxSeconds ?? signer?.maxSeconds;
  return {
    issuer: defineTokenIssuer({
      issuer,
      key: signer?.sign ?? key,
      ...(maxSeconds === undefined ? {} : { maxSeconds }),
    }),
    secretIssuer: defineTokenIssuer({ issuer: naming.wellKnown.legacyTokenIssuer, key }),
    authenticator: defineServiceAccountTokens({
      issuers,
      keys,
      ...(signer ? { findKey: signer.find } : {}),
      audiences,
      names: naming,
      lookup,
      ...(onUse ? { onUse } : {}),
      ...(clock ? { clock: () => clock.wallMs() } : {}),
    }),
    documents: issuerDocuments({ issuer, keys: signer?.publicKeys ?? (() => keys), jwksUri }),
  };
}

/** The time limit of an external signer, milliseconds. */
const signerTimeoutMs = 10_000;

/** Opens the external signer, if there is one. Rejects if it does not answer, or its tokens live too short. */
async function openSigner(
  { signingEndpoint, maxSeconds, signingKeyFile, keyFiles = [] }: ServiceAccountOptions,
  { featureEnabled, onProblem, onEnd }: Pick<AccountKeys, 'featureEnabled' | 'onProblem' | 'onEnd'>,
): Promise<ExternalSigner | undefined> {
  if (signingEndpoint === undefined) return undefined;
  const refuse = (why: string) =>
    new OptionError(
      (nameOf) => `${nameOf('authentication.serviceAccounts.signingEndpoint')} ${signingEndpoint}: ${why}`,
    );
  if (!featureEnabled('ExternalServiceAccountTokenSigner')) {
    throw refuse('needs the gate ExternalServiceAccountTokenSigner, which releases from 1.34 on have');
  }
  if (signingKeyFile !== undefined || keyFiles.length > 0) throw refuse('cannot be combined with files of keys');
  const packages = ['@grpc/grpc-js', 'protobufjs'];
  const part = { option: 'authentication.serviceAccounts.signingEndpoint', value: signingEndpoint, packages } as const;
  const { createSignerClient } = await withPackages(part, () => import('../plugins/authentication/signer-client.js'));
  const client = createSignerClient(signingEndpoint, signerTimeoutMs);
  const signer = await openExternalSigner({ client, onProblem }).catch((error: unknown) => {
    throw refuse(error instanceof Error ? error.message : String(error));
  });
  onEnd(signer.close);
  if (maxSeconds !== undefined && maxSeconds > signer.maxSeconds) {
    throw refuse(`its tokens live for ${signer.maxSeconds} seconds at most, but ${maxSeconds} were asked for`);
  }
  return signer;
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
