/** The error for invalid options of `startServer`. */

/** The paths of the options that an error can name. */
export type OptionName =
  | 'admission.configurationFile'
  | 'admission.disable'
  | 'admission.enable'
  | 'admission.serviceAddresses'
  | 'advertiseAddress'
  | 'aggregated'
  | 'aggregated.cacheTtlMs'
  | 'aggregated.kubeconfig'
  | 'audit.log.path'
  | 'audit.policyFile'
  | 'audit.webhook.configFile'
  | 'aggregation.proxyCertificate.certFile'
  | 'aggregation.proxyCertificate.keyFile'
  | 'authentication.administrator'
  | 'authentication.anonymous'
  | 'authentication.clientCaFile'
  | 'authentication.configFile'
  | 'authentication.oidc'
  | 'authentication.oidc.caFile'
  | 'authentication.oidc.clientId'
  | 'authentication.oidc.issuerUrl'
  | 'authentication.oidc.signingAlgorithms'
  | 'authentication.requestHeader'
  | 'authentication.requestHeader.clientCaFile'
  | 'authentication.requestHeader.usernameHeaders'
  | 'authentication.serviceAccounts.issuer'
  | 'authentication.serviceAccounts.jwksUri'
  | 'authentication.serviceAccounts.keyFiles'
  | 'authentication.serviceAccounts.maxSeconds'
  | 'authentication.serviceAccounts.signingEndpoint'
  | 'authentication.serviceAccounts.signingKeyFile'
  | 'authentication.tokenFile'
  | 'authentication.tokenWebhook.configFile'
  | 'authentication.tokenWebhook.cacheTtlMs'
  | 'authorization.configFile'
  | 'authorization.modes'
  | 'authorization.policyFile'
  | 'authorization.authorizer'
  | 'authorization.webhook'
  | 'authorization.webhook.authorizedTtlMs'
  | 'authorization.webhook.configFile'
  | 'authorization.webhook.unauthorizedTtlMs'
  | 'controllers'
  | 'coordinatedLeadership.durationMs'
  | 'coordinatedLeadership.renewDeadlineMs'
  | 'coordinatedLeadership.retryMs'
  | 'corsAllowedOrigins'
  | 'credentials'
  | 'credentials.folder'
  | 'encryption.configFile'
  | 'featureGates'
  | 'http'
  | 'http.fd'
  | 'http.host'
  | 'http.port'
  | 'limits'
  | 'livezGraceMs'
  | 'maxObjectBytes'
  | 'naming'
  | 'console'
  | 'pages'
  | 'runtimeConfig'
  | 'projectRelease'
  | 'schemas'
  | 'showHiddenMetricsFor'
  | 'shutdownDelayMs'
  | 'signing.authority'
  | 'signing.longestMs'
  | 'signing.signers.agentServing'
  | 'signing.signers.apiserverClient'
  | 'signing.signers.apiserverClientAgent'
  | 'signing.signers.legacyUnknown'
  | 'storage'
  | 'tls'
  | 'tls.certificate'
  | 'tls.certificate.certFile'
  | 'tls.certificate.keyFile'
  | 'tls.fd'
  | 'tls.host'
  | 'tls.named'
  | 'tls.names'
  | 'tls.port'
  | 'tracing.configFile'
  | 'workers';

/** Returns the name of an option: its path, or its flag. */
export type NameOf = (option: OptionName) => string;

/** Thrown if an option is invalid, by itself or together with others. */
export class OptionError extends Error {
  /** Returns the message with other names of the options, such as flags. */
  readonly describe: (nameOf: NameOf) => string;

  constructor(describe: (nameOf: NameOf) => string, options?: ErrorOptions) {
    super(
      describe((option) => option),
      options,
    );
    this.describe = describe;
  }
}

/** Returns the error of a configuration file with mistakes, each on a line of its own. */
export const fileError = (option: OptionName, problems: readonly string[]): OptionError =>
  new OptionError((nameOf) => `${nameOf(option)} ${problems.join('\n  ')}`);

/** An optional part of the server, with the packages that it needs. */
interface OptionalPart {
  /** The option that enables the part. */
  readonly option: OptionName;
  /** Its value, for the message. */
  readonly value: string;
  readonly packages: readonly string[];
}

/** Loads a part. If a package is missing, rejects with an `OptionError` that names it. */
export async function withPackages<T>({ option, value, packages }: OptionalPart, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, packages)) throw error;
    const names = packages.join(' ');
    throw new OptionError(
      (nameOf) =>
        `${nameOf(option)} ${value} needs ${packages.length === 1 ? 'a package that is' : 'packages that are'} not installed ` +
        `beside kindforge: npm install ${names}`,
      { cause: error },
    );
  }
}

/** Reports whether Node did not find a module, with `import`, or with `require` in the built command. */
function isMissing(error: unknown, packages: readonly string[]): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  const missing = error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND';
  return missing && packages.some((name) => error.message.includes(`'${name}`));
}

/** Receives a problem that does not stop the server. `error` is the thrown value, unless the text contains it. */
export type OnProblem = (problem: string, error?: unknown) => void;
