/** The error that says which option of `startServer` cannot be used, and why. */

/** Options that an error can name, by their path. */
export type OptionName =
  | 'admission.configurationFile'
  | 'admission.disable'
  | 'admission.enable'
  | 'admission.serviceAddresses'
  | 'advertiseAddress'
  | 'audit.log.path'
  | 'audit.policyFile'
  | 'audit.webhook.configFile'
  | 'authentication.administrator'
  | 'authentication.anonymous'
  | 'authentication.clientCaFile'
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
  | 'authentication.serviceAccounts.signingKeyFile'
  | 'authentication.tokenFile'
  | 'authentication.tokenWebhook.configFile'
  | 'authentication.tokenWebhook.cacheTtlMs'
  | 'authorization.modes'
  | 'authorization.policyFile'
  | 'authorization.authorizer'
  | 'authorization.webhook'
  | 'authorization.webhook.authorizedTtlMs'
  | 'authorization.webhook.configFile'
  | 'authorization.webhook.unauthorizedTtlMs'
  | 'controllers'
  | 'corsAllowedOrigins'
  | 'credentials'
  | 'credentials.folder'
  | 'featureGates'
  | 'http'
  | 'http.fd'
  | 'http.host'
  | 'http.port'
  | 'limits'
  | 'livezGraceMs'
  | 'maxObjectBytes'
  | 'naming'
  | 'runtimeConfig'
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
  | 'tracing.configFile';

/** Says how an option is called: by its path, or by the flag that sets it. */
export type NameOf = (option: OptionName) => string;

/** An option cannot be used, by itself or together with others. */
export class OptionError extends Error {
  /** The message with other names for the options, such as those of flags. */
  readonly tell: (nameOf: NameOf) => string;

  constructor(tell: (nameOf: NameOf) => string, options?: ErrorOptions) {
    super(
      tell((option) => option),
      options,
    );
    this.tell = tell;
  }
}

/** A part of the server, and what it needs. */
interface OptionalPart {
  /** The option that asks for the part. */
  readonly option: OptionName;
  /** Its value, for the message. */
  readonly value: string;
  readonly packages: readonly string[];
}

/** Loads a part. Rejects with an `OptionError` that says what to install where a package is missing. */
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

/** Node finds no module: of `import`, or of `require` in the built command. */
function isMissing(error: unknown, packages: readonly string[]): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  const missing = error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND';
  return missing && packages.some((name) => error.message.includes(`'${name}`));
}
