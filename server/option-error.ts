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
