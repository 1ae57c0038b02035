/** The options of `startServer` about who asks, and what they may do. */
import type { OidcOptions, RequestHeaders } from '../plugins/index.js';
import type { Authenticator, Authorizer, UserInfo } from '../runtime/contract/index.js';

/** How the server authenticates users. It asks authenticators in turn, your own ones last. */
export interface AuthenticationOptions {
  /**
   * The user of requests without credentials: `refused` for none, `anonymous` for `system:anonymous`, which only has
   * the rights of everyone, `administrator` to allow everything to everyone. Default: `refused`.
   */
  readonly anonymous?: 'refused' | 'anonymous' | 'administrator' | UserInfo;
  /** Whether there is an administrator. Its token stays the same for the same data. Default: true. */
  readonly administrator?: boolean;
  /**
   * File of PEM authorities for client certificates: the common name is the user, organizations are groups. It is read
   * again when it changes. Default: the server's own authority, which also certifies the administrator.
   */
  readonly clientCaFile?: string;
  /** File of bearer tokens in CSV: `token,user,uid,"group,group"`. Default: none. */
  readonly tokenFile?: string;
  /** Whether the server accepts bootstrap tokens, which are in secrets. Default: false. */
  readonly bootstrapTokens?: boolean;
  readonly serviceAccounts?: ServiceAccountOptions;
  /** An OpenID Connect provider for tokens. Default: none. */
  readonly oidc?: OidcOption;
  /**
   * File with an `AuthenticationConfiguration` in YAML: issuers of tokens, in place of `oidc`, and the rights of
   * requests without credentials, in place of `anonymous`. It is read again when it changes. With it, `anonymous` is
   * `anonymous` by default. Default: none.
   */
  readonly configFile?: string | undefined;
  /** A webhook for tokens that no other method knows. Default: none. */
  readonly tokenWebhook?: TokenWebhookOption;
  /** Proxies that name the user in headers; only for servers with TLS. Default: none. */
  readonly requestHeader?: RequestHeaderOption;
  readonly authenticators?: readonly Authenticator[];
}

/** An OpenID Connect provider. The server fetches its keys at the first token. */
export interface OidcOption extends OidcOptions {
  /**
   * File of PEM authorities for the provider's certificate. Default: `SSL_CERT_FILE`, else the system's, and
   * `SSL_CERT_DIR`.
   */
  readonly caFile?: string | undefined;
}

export interface TokenWebhookOption {
  /** A file in the kubeconfig format: the cluster is the webhook, the user holds the server's credentials for it. */
  readonly configFile: string;
  /** How long the server caches an answer, in milliseconds. Default: 120000. */
  readonly cacheTtlMs?: number;
  /** The version of the reviews. Default: `v1beta1`. */
  readonly version?: 'v1' | 'v1beta1';
}

/** The headers of proxies. They only count with a certificate from an authority in `clientCaFile`. */
export interface RequestHeaderOption extends RequestHeaders {
  /** File of PEM authorities. It is read again when it changes. */
  readonly clientCaFile: string;
}

/** How the server makes and checks tokens of service accounts. */
export interface ServiceAccountOptions {
  /**
   * The issuer in tokens. If there are several, new tokens name the first, and the server accepts all. Default:
   * `https://platform.local`.
   */
  readonly issuer?: string | readonly string[];
  /** The audiences of tokens for this server. Default: the issuers. */
  readonly audiences?: readonly string[];
  /**
   * PEM file of the private key that signs tokens. Default: a key derived from the data, or a random one for data in
   * memory.
   */
  readonly signingKeyFile?: string;
  /** Unix socket of a signer that has the keys instead. Needs the gate `ExternalServiceAccountTokenSigner`. */
  readonly signingEndpoint?: string;
  /** PEM files of further keys that verify tokens. Default: none. */
  readonly keyFiles?: readonly string[];
  /** The HTTPS URL of the keys for other servers. Default: the server's own address. */
  readonly jwksUri?: string;
  /** Whether tokens in secrets only count while the secret and the account exist. Default: true. */
  readonly lookup?: boolean;
  /** The longest lifetime of a token in seconds, from 3600 up. Default: only the limit of the API. */
  readonly maxSeconds?: number;
}

/** How the server authorizes requests. Members of `system:masters` may do everything. */
export interface AuthorizationOptions {
  /** The server asks them in this order. Default: `['RBAC']`, or none if there is an `authorizer`. */
  readonly modes?: readonly AuthorizationMode[];
  /**
   * File with an `AuthorizationConfiguration` in YAML: authorizers in place of `modes` and `webhook`. It is read again
   * when it changes. Default: none.
   */
  readonly configFile?: string | undefined;
  /** File of policies for the mode `ABAC`, with one JSON object per line. */
  readonly policyFile?: string;
  /** The webhook of the mode `Webhook`. */
  readonly webhook?: AuthorizationWebhookOption;
  /** The server asks it after the modes. Default: none. */
  readonly authorizer?: Authorizer;
}

/** A webhook that authorizes requests. */
export interface AuthorizationWebhookOption {
  /**
   * A file in the kubeconfig format: the cluster is the webhook, the user holds the server's credentials for it. It is
   * read again when it changes.
   */
  readonly configFile: string;
  /** How long the server caches a decision that allows, in milliseconds. Default: 300000. */
  readonly authorizedTtlMs?: number;
  /** How long the server caches any other decision, in milliseconds. Default: 30000. */
  readonly unauthorizedTtlMs?: number;
  /** The version of the reviews. Default: `v1beta1`. */
  readonly version?: 'v1' | 'v1beta1';
}

/** The authorizers that a server can ask, by their names in flags. */
export const authorizationModes = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'] as const;

/** One method of authorization. The server asks several methods in the given order. */
export type AuthorizationMode = (typeof authorizationModes)[number];
