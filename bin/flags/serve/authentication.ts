/** Flags of `kindforge serve`: how it recognizes users, and how it signs certificate requests. */
import type { AuthenticationOptions, ServiceAccountOptions } from '../../../server/access-options.js';
import type { SigningOption } from '../../../server/parts/signing-option.js';
import { readCertificateLife, readTokenLife } from '../../../server/text/durations.js';
import type { CertificateFiles } from '../../../server/transport/tls-option.js';
import { FlagError, type FlagGroup, mustBe, type Read, type ReadValues } from '../flag.js';
import { readFolder } from './values.js';

export const authentication = {
  heading: 'Authentication',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'client-ca-file',
      value: '<file>',
      about: 'PEM authorities of client certificates: the common name is the user, organizations are groups',
      otherwise: "the server's own, which certifies the administrator",
      sets: ['authentication.clientCaFile'],
    },
    {
      name: 'token-auth-file',
      value: '<file>',
      about: 'CSV file of bearer tokens: token,user,uid,"group,group"',
      sets: ['authentication.tokenFile'],
    },
    {
      name: 'authentication-config',
      value: '<file>',
      about:
        'AuthenticationConfiguration in YAML, in place of the flags of OpenID Connect: issuers of tokens, and what needs no credentials; read again when it changes',
      sets: ['authentication.configFile'],
    },
    {
      name: 'enable-bootstrap-token-auth',
      about: 'accept bootstrap tokens, which are stored as secrets of the system namespace',
    },
    {
      name: 'anonymous-auth',
      value: '<whether>',
      values: ['true', 'false'],
      about: 'true or false: accept requests without credentials, as user system:anonymous',
      otherwise: 'true, unless everybody may do everything',
    },
    {
      name: 'allow-everyone',
      about: 'make everyone on this machine an administrator, without credentials',
      sets: ['authentication.anonymous'],
    },
    {
      name: 'administrator',
      value: '<whether>',
      values: ['true', 'false'],
      about: "true or false: have an administrator, with credentials derived from the data's secret",
      otherwise: 'true, unless everybody is an administrator',
      sets: ['authentication.administrator'],
    },
    {
      name: 'credentials-dir',
      value: '<dir>',
      about: "folder for the administrator's credentials",
      otherwise: 'with the data',
      read: readFolder,
      sets: ['credentials', 'credentials.folder'],
    },
    {
      name: 'service-account-issuer',
      value: '<url>',
      about:
        'issuer of service account tokens; if given more than once, new tokens name the first, and all are accepted',
      otherwise: 'https://platform.local',
      repeatable: true,
      sets: ['authentication.serviceAccounts.issuer'],
    },
    {
      name: 'service-account-signing-key-file',
      value: '<file>',
      about: 'PEM private key that signs these tokens, RSA or P-256',
      otherwise: 'derived from the data, or a new one with --storage memory',
      sets: ['authentication.serviceAccounts.signingKeyFile'],
    },
    {
      name: 'service-account-signing-endpoint',
      value: '<path>',
      about: 'Unix socket of a signer of these tokens, instead of files of keys; since release 1.34',
      sets: ['authentication.serviceAccounts.signingEndpoint'],
    },
    {
      name: 'service-account-key-file',
      value: '<file>',
      about: 'further PEM keys that verify such tokens; may be given more than once',
      repeatable: true,
      otherwise: 'the key of --tls-private-key-file',
      sets: ['authentication.serviceAccounts.keyFiles'],
    },
    {
      name: 'service-account-jwks-uri',
      value: '<url>',
      about: 'URL at which others find the keys of these tokens',
      otherwise: "the server's own address",
      sets: ['authentication.serviceAccounts.jwksUri'],
    },
    {
      name: 'service-account-lookup',
      value: '<whether>',
      values: ['true', 'false'],
      about: 'true or false: accept the token of a secret only while the secret and the account exist',
      byDefault: 'true',
    },
    {
      name: 'service-account-max-token-expiration',
      value: '<duration>',
      about: 'longest lifetime of such a token; at least 1h',
      read: readTokenLife,
      sets: ['authentication.serviceAccounts.maxSeconds'],
    },
    {
      name: 'api-audiences',
      value: '<names>',
      about: 'comma-separated audiences of tokens for this server',
      otherwise: 'the issuers',
      read: readAudiences,
    },
  ],
} as const satisfies FlagGroup;

export const signing = {
  heading: 'Certificate requests',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'cluster-signing-duration',
      value: '<duration>',
      about: 'longest lifetime of a signed certificate; at least 10m',
      byDefault: '8760h',
      read: readCertificateLife,
      sets: ['signing.longestMs'],
    },
    {
      name: 'cluster-signing-cert-file',
      value: '<file>',
      about: 'PEM authority that signs certificates',
      otherwise: "the server's own, which certifies the administrator",
      sets: ['signing.authority'],
    },
    {
      name: 'cluster-signing-key-file',
      value: '<file>',
      about: 'PEM private key of that authority: RSA, P-256, P-384, P-521 or Ed25519',
    },
    {
      name: 'cluster-signing-apiserver-client-cert-file',
      value: '<file>',
      about: 'PEM authority that signs for the signer apiserver-client',
      otherwise: '--cluster-signing-cert-file',
      sets: ['signing.signers.apiserverClient'],
    },
    {
      name: 'cluster-signing-apiserver-client-key-file',
      value: '<file>',
      about: 'PEM private key of the authority for the signer apiserver-client',
    },
    {
      name: 'cluster-signing-apiserver-client-agent-cert-file',
      value: '<file>',
      about: 'PEM authority that signs for the signer apiserver-client-agent',
      otherwise: '--cluster-signing-cert-file',
      sets: ['signing.signers.apiserverClientAgent'],
    },
    {
      name: 'cluster-signing-apiserver-client-agent-key-file',
      value: '<file>',
      about: 'PEM private key of the authority for the signer apiserver-client-agent',
    },
    {
      name: 'cluster-signing-agent-serving-cert-file',
      value: '<file>',
      about: 'PEM authority that signs for the signer agent-serving',
      otherwise: '--cluster-signing-cert-file',
      sets: ['signing.signers.agentServing'],
    },
    {
      name: 'cluster-signing-agent-serving-key-file',
      value: '<file>',
      about: 'PEM private key of the authority for the signer agent-serving',
    },
    {
      name: 'cluster-signing-legacy-unknown-cert-file',
      value: '<file>',
      about: 'PEM authority that signs for the signer legacy-unknown',
      otherwise: '--cluster-signing-cert-file',
      sets: ['signing.signers.legacyUnknown'],
    },
    {
      name: 'cluster-signing-legacy-unknown-key-file',
      value: '<file>',
      about: 'PEM private key of the authority for the signer legacy-unknown',
    },
  ],
} as const satisfies FlagGroup;

type AuthenticationValues = ReadValues<typeof authentication.flags> & {
  readonly authorizationMode?: readonly string[];
};

/**
 * Returns the options of authentication. By default there is an administrator with credentials, unless everybody is an
 * administrator.
 */
export function authenticationOf(flags: AuthenticationValues): AuthenticationOptions {
  const anonymous = anonymousOf(flags);
  const {
    tokenAuthFile: tokenFile,
    enableBootstrapTokenAuth: bootstrapTokens,
    authenticationConfig: configFile,
  } = flags;
  return {
    ...(anonymous && { anonymous }),
    tokenFile,
    bootstrapTokens,
    configFile,
    administrator: flags.administrator ?? anonymous !== 'administrator',
  };
}

/**
 * Decides about requests without credentials. Their user is `system:anonymous`, and only rules for everyone apply to
 * it. By default, they are refused if this user would be allowed everything. Returns `undefined` to leave the decision
 * to the file of `--authentication-config`.
 */
function anonymousOf({
  allowEveryone,
  anonymousAuth,
  authenticationConfig,
  authorizationMode: modes = [],
}: AuthenticationValues): 'refused' | 'anonymous' | 'administrator' | undefined {
  if (allowEveryone === true) {
    if (anonymousAuth === undefined) return 'administrator';
    throw new FlagError('--allow-everyone and --anonymous-auth cannot be used together; leave one out');
  }
  if (anonymousAuth === undefined && authenticationConfig !== undefined) return undefined;
  if (anonymousAuth === undefined) return modes.includes('AlwaysAllow') ? 'refused' : 'anonymous';
  return anonymousAuth ? 'anonymous' : 'refused';
}

export function serviceAccountsOf(flags: ReadValues<typeof authentication.flags>): ServiceAccountOptions {
  const { serviceAccountIssuer, serviceAccountJwksUri: jwksUri } = flags;
  const issuer = serviceAccountIssuer.length === 0 ? ['https://platform.local'] : serviceAccountIssuer;
  if (issuer.includes('')) {
    throw new FlagError('--service-account-issuer (nothing): must be a URL, such as https://api.example.com');
  }
  return {
    issuer,
    audiences: flags.apiAudiences ?? issuer,
    signingKeyFile: flags.serviceAccountSigningKeyFile,
    signingEndpoint: flags.serviceAccountSigningEndpoint,
    keyFiles: flags.serviceAccountKeyFile,
    maxSeconds: flags.serviceAccountMaxTokenExpiration,
    lookup: flags.serviceAccountLookup,
    ...(jwksUri === undefined ? {} : { jwksUri }),
  };
}

function readAudiences(text: string): Read<readonly string[]> {
  const value = text.split(',').map((name) => name.trim());
  return value.includes('') ? mustBe(text, 'names with commas between them, none of them empty') : { ok: true, value };
}

export function signingOf(flags: ReadValues<typeof signing.flags>): SigningOption {
  return {
    longestMs: flags.clusterSigningDuration,
    authority: filesOf('', flags.clusterSigningCertFile, flags.clusterSigningKeyFile),
    signers: {
      apiserverClient: filesOf(
        'apiserver-client-',
        flags.clusterSigningApiserverClientCertFile,
        flags.clusterSigningApiserverClientKeyFile,
      ),
      apiserverClientAgent: filesOf(
        'apiserver-client-agent-',
        flags.clusterSigningApiserverClientAgentCertFile,
        flags.clusterSigningApiserverClientAgentKeyFile,
      ),
      agentServing: filesOf(
        'agent-serving-',
        flags.clusterSigningAgentServingCertFile,
        flags.clusterSigningAgentServingKeyFile,
      ),
      legacyUnknown: filesOf(
        'legacy-unknown-',
        flags.clusterSigningLegacyUnknownCertFile,
        flags.clusterSigningLegacyUnknownKeyFile,
      ),
    },
  };
}

/** Refuses a certificate without its key, and a key without its certificate. */
function filesOf(
  signer: string,
  certFile: string | undefined,
  keyFile: string | undefined,
): CertificateFiles | undefined {
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile };
  if (certFile === undefined && keyFile === undefined) return undefined;
  const [given, missing] = certFile === undefined ? ['key', 'cert'] : ['cert', 'key'];
  const flag = (what: string | undefined): string => `--cluster-signing-${signer}${what}-file`;
  throw new FlagError(`${flag(given)} needs ${flag(missing)}; give both`);
}
