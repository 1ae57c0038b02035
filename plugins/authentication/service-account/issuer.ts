/** Signs the tokens of service accounts. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import type { SigningKey } from './signing-key.js';

export interface IssuerOptions {
  /** The value of the claim `iss`. */
  readonly issuer: string;
  readonly key: SigningKey;
  /** Longest life of a token in seconds; absent for no limit but that of the API. */
  readonly maxSeconds?: number;
}

/** Makes tokens (RFC 7519) of claims. */
export function defineTokenIssuer({ issuer, key, maxSeconds }: IssuerOptions) {
  return {
    issue: async (claims: JsonObject): Promise<string> => {
      // Many servers never sign a token, and start sooner without what does.
      const { SignJWT } = await import('jose/jwt/sign');
      return new SignJWT({ ...claims, iss: issuer })
        .setProtectedHeader({ alg: key.algorithm, kid: key.id })
        .sign(key.privateKey);
    },
    ...(maxSeconds === undefined ? {} : { maxSeconds }),
  };
}
