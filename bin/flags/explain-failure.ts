/** Says why a server could not start, in words that name the flag to change. */
import { withAdvice } from '../../runtime/objects/failures.js';
import { DefinitionsError } from '../../server/load-definitions.js';
import { OptionError, type OptionName } from '../../server/option-error.js';
import { DamagedFileError, DamagedStoreError, UnknownVersionError } from '../../server/parts/errors.js';
import type { Ending } from '../exit-codes.js';

/** The flag that sets an option. */
const flags: Readonly<Record<OptionName, string>> = {
  'admission.configurationFile': '--admission-control-config-file',
  'admission.disable': '--disable-admission-plugins',
  'admission.enable': '--enable-admission-plugins',
  'admission.serviceAddresses': '--service-resolver',
  'audit.log.path': '--audit-log-path',
  'audit.policyFile': '--audit-policy-file',
  'audit.webhook.configFile': '--audit-webhook-config-file',
  'authentication.administrator': '--token-auth-file',
  'authentication.anonymous': '--allow-everyone',
  'authentication.clientCaFile': '--client-ca-file',
  'authentication.oidc': '--oidc-issuer-url',
  'authentication.oidc.caFile': '--oidc-ca-file',
  'authentication.oidc.clientId': '--oidc-client-id',
  'authentication.oidc.issuerUrl': '--oidc-issuer-url',
  'authentication.oidc.signingAlgorithms': '--oidc-signing-algs',
  'authentication.requestHeader': '--requestheader-client-ca-file',
  'authentication.requestHeader.clientCaFile': '--requestheader-client-ca-file',
  'authentication.requestHeader.usernameHeaders': '--requestheader-username-headers',
  'authentication.serviceAccounts.issuer': '--service-account-issuer',
  'authentication.serviceAccounts.jwksUri': '--service-account-jwks-uri',
  'authentication.serviceAccounts.keyFiles': '--service-account-key-file',
  'authentication.serviceAccounts.maxSeconds': '--service-account-max-token-expiration',
  'authentication.serviceAccounts.signingKeyFile': '--service-account-signing-key-file',
  'authentication.tokenFile': '--token-auth-file',
  'authentication.tokenWebhook.cacheTtlMs': '--authentication-token-webhook-cache-ttl',
  'authentication.tokenWebhook.configFile': '--authentication-token-webhook-config-file',
  'authorization.authorizer': '--authorization-mode',
  'authorization.modes': '--authorization-mode',
  'authorization.policyFile': '--authorization-policy-file',
  'authorization.webhook': '--authorization-webhook-config-file',
  'authorization.webhook.authorizedTtlMs': '--authorization-webhook-cache-authorized-ttl',
  'authorization.webhook.configFile': '--authorization-webhook-config-file',
  'authorization.webhook.unauthorizedTtlMs': '--authorization-webhook-cache-unauthorized-ttl',
  'credentials.folder': '--credentials-dir',
  'http.fd': 'socket',
  'http.host': '--host',
  'http.port': '--http-port',
  'signing.authority': '--cluster-signing-cert-file',
  'signing.longestMs': '--cluster-signing-duration',
  'signing.signers.agentServing': '--cluster-signing-agent-serving-cert-file',
  'signing.signers.apiserverClient': '--cluster-signing-apiserver-client-cert-file',
  'signing.signers.apiserverClientAgent': '--cluster-signing-apiserver-client-agent-cert-file',
  'signing.signers.legacyUnknown': '--cluster-signing-legacy-unknown-cert-file',
  'tls.certificate': '--tls-cert-file',
  'tls.certificate.certFile': '--tls-cert-file',
  'tls.certificate.keyFile': '--tls-private-key-file',
  'tls.fd': 'socket',
  'tls.host': '--bind-address',
  'tls.named': '--tls-sni-cert-key',
  'tls.names': '--tls-san',
  'tls.port': '--secure-port',
  'tracing.configFile': '--tracing-config-file',
  advertiseAddress: '--advertise-address',
  controllers: '--controllers',
  corsAllowedOrigins: '--cors-allowed-origins',
  credentials: '--credentials-dir',
  featureGates: '--feature-gates',
  http: '--http-port',
  limits: '--max-requests-inflight',
  livezGraceMs: '--livez-grace-period',
  maxObjectBytes: '--max-object-bytes',
  naming: '--naming',
  runtimeConfig: '--runtime-config',
  schemas: '--schemas',
  showHiddenMetricsFor: '--show-hidden-metrics-for-version',
  shutdownDelayMs: '--shutdown-delay-duration',
  storage: '--storage',
  tls: '--secure-port',
};

const damageHelp =
  'Start with --on-damage serve-rest to go on without these and write them again, or with --on-damage discard to ' +
  'remove them for good with the next write.';

/** How the command ends, and the message for it. */
export function explainFailure(error: unknown): { readonly ending: Ending; readonly message: string } {
  const { ending, message } = explain(error);
  return { ending, message: withAdvice(message, process.cwd()) };
}

function explain(error: unknown): { readonly ending: Ending; readonly message: string } {
  if (error instanceof OptionError) return { ending: 'failed', message: error.tell((option) => flags[option]) };
  if (error instanceof DamagedFileError) return { ending: 'refused', message: error.message };
  if (error instanceof UnknownVersionError) return { ending: 'refused', message: error.message };
  if (error instanceof DefinitionsError) return { ending: 'refused', message: error.message };
  if (error instanceof DamagedStoreError) return { ending: 'refused', message: `${error.message}\n${damageHelp}` };
  return { ending: 'failed', message: error instanceof Error ? error.message : String(error) };
}
