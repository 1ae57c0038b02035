/** Flags of `kindforge serve`: what users may do, and what checks and completes their writes. */
import type { AuthorizationOptions } from '../../../server/access-options.js';
import type { AdmissionOptions, AggregationOptions } from '../../../server/options.js';
import { readAuthorizationModes } from '../../../server/text/authorization-modes.js';
import { FlagError, type FlagGroup, mustBe, type Read, type ReadValues } from '../flag.js';
import { readFile, readTime } from './values.js';

export const authorization = {
  heading: 'Authorization',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'authorization-mode',
      value: '<modes>',
      about: 'comma-separated authorizers: RBAC, ABAC, Node, Webhook, AlwaysAllow, AlwaysDeny',
      otherwise: 'RBAC',
      read: readAuthorizationModes,
      sets: ['authorization.modes', 'authorization.authorizer'],
    },
    {
      name: 'authorization-config',
      value: '<file>',
      about:
        'AuthorizationConfiguration in YAML, in place of the mode and the webhook: authorizers in their order, several webhooks among them, with conditions; read again when it changes',
      sets: ['authorization.configFile'],
    },
    {
      name: 'authorization-policy-file',
      value: '<file>',
      about: 'policies for ABAC, a JSON object in each line',
      sets: ['authorization.policyFile'],
    },
    {
      name: 'authorization-webhook-config-file',
      value: '<file>',
      about: 'kubeconfig for the mode Webhook: its cluster is the webhook, its user this server',
      sets: ['authorization.webhook', 'authorization.webhook.configFile'],
    },
    {
      name: 'authorization-webhook-version',
      value: '<version>',
      values: ['v1', 'v1beta1'],
      about: 'version of the SubjectAccessReviews that it gets: v1 or v1beta1',
      otherwise: 'v1beta1',
    },
    {
      name: 'authorization-webhook-cache-authorized-ttl',
      value: '<duration>',
      about: 'how long to cache decisions of the webhook that allow a request',
      otherwise: '5m',
      read: readTime,
      sets: ['authorization.webhook.authorizedTtlMs'],
    },
    {
      name: 'authorization-webhook-cache-unauthorized-ttl',
      value: '<duration>',
      about: 'how long to cache other decisions of the webhook',
      otherwise: '30s',
      read: readTime,
      sets: ['authorization.webhook.unauthorizedTtlMs'],
    },
  ],
} as const satisfies FlagGroup;

export const admission = {
  heading: 'Admission',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'enable-admission-plugins',
      value: '<names>',
      about: 'comma-separated admission plugins to run besides the default ones',
      repeatable: true,
      separated: true,
      sets: ['admission.enable'],
    },
    {
      name: 'disable-admission-plugins',
      value: '<names>',
      about: 'comma-separated admission plugins not to run',
      repeatable: true,
      separated: true,
      sets: ['admission.disable'],
    },
    {
      name: 'admission-control-config-file',
      value: '<file>',
      about: 'AdmissionConfiguration with the configurations of admission plugins, in YAML',
      read: readFile,
      sets: ['admission.configurationFile'],
    },
  ],
} as const satisfies FlagGroup;

export const admissionWebhooks = {
  heading: 'Admission webhooks',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'service-resolver',
      value: '<namespace>/<name>=<url>',
      about:
        'address of the webhook or API server behind a Service, in place of its cluster address, as in shop/hook=https://127.0.0.1:9443; may be given more than once',
      repeatable: true,
      read: readServiceAddress,
      sets: ['admission.serviceAddresses'],
    },
  ],
} as const satisfies FlagGroup;

export const aggregation = {
  heading: 'API servers behind this one',
  stability: 'beta',
  since: '0.1',
  flags: [
    {
      name: 'proxy-client-cert-file',
      value: '<file>',
      about: 'PEM certificate that this server shows to API servers behind Services; it makes one by default',
      sets: ['aggregation.proxyCertificate.certFile'],
    },
    {
      name: 'proxy-client-key-file',
      value: '<file>',
      about: 'PEM key of this certificate',
      sets: ['aggregation.proxyCertificate.keyFile'],
    },
    {
      name: 'enable-aggregator-routing',
      about: 'send requests to an endpoint of the Service, not to its cluster address',
    },
  ],
} as const satisfies FlagGroup;

/** Makes the options. Throws a `FlagError` if only one of the two files is given. */
export function aggregationOf(flags: ReadValues<typeof aggregation.flags>): AggregationOptions {
  const { proxyClientCertFile: certFile, proxyClientKeyFile: keyFile, enableAggregatorRouting: toEndpoints } = flags;
  if (certFile === undefined && keyFile === undefined) return { toEndpoints };
  if (certFile === undefined || keyFile === undefined) {
    throw new FlagError('--proxy-client-cert-file and --proxy-client-key-file must be given together');
  }
  return { toEndpoints, proxyCertificate: { certFile, keyFile } };
}

/** Makes the options. Throws a `FlagError` if flags are given that the file of `--authorization-config` replaces. */
export function authorizationOf(flags: ReadValues<typeof authorization.flags>): AuthorizationOptions {
  const { authorizationPolicyFile: policyFile, authorizationConfig: configFile } = flags;
  const ofPolicies = policyFile === undefined ? {} : { policyFile };
  if (configFile === undefined)
    return { modes: flags.authorizationMode ?? ['RBAC'], ...ofPolicies, ...webhookOf(flags) };
  const replaced = [
    flags.authorizationMode,
    flags.authorizationWebhookConfigFile,
    flags.authorizationWebhookVersion,
    flags.authorizationWebhookCacheAuthorizedTtl,
    flags.authorizationWebhookCacheUnauthorizedTtl,
  ];
  if (replaced.every((value) => value === undefined)) return { configFile, ...ofPolicies };
  throw new FlagError(
    '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
  );
}

function webhookOf(flags: ReadValues<typeof authorization.flags>): Pick<AuthorizationOptions, 'webhook'> {
  const { authorizationWebhookConfigFile: configFile, authorizationWebhookVersion: version } = flags;
  const { authorizationWebhookCacheAuthorizedTtl: authorizedTtlMs } = flags;
  const { authorizationWebhookCacheUnauthorizedTtl: unauthorizedTtlMs } = flags;
  if (configFile === undefined) return {};
  return {
    webhook: {
      configFile,
      ...(authorizedTtlMs === undefined ? {} : { authorizedTtlMs }),
      ...(unauthorizedTtlMs === undefined ? {} : { unauthorizedTtlMs }),
      ...(version === undefined ? {} : { version }),
    },
  };
}

/** Makes the options. The server checks whether the plugins exist. */
export const admissionOf = (
  flags: ReadValues<typeof admission.flags> & ReadValues<typeof admissionWebhooks.flags>,
): AdmissionOptions => ({
  enable: flags.enableAdmissionPlugins,
  disable: flags.disableAdmissionPlugins,
  configurationFile: flags.admissionControlConfigFile,
  serviceAddresses: Object.fromEntries(flags.serviceResolver),
});

function readServiceAddress(text: string): Read<readonly [string, string]> {
  const [service = '', ...address] = text.split('=');
  if (address.length === 0) return mustBe(text, 'a service with its address, as in <namespace>/<name>=<url>');
  return { ok: true, value: [service.trim(), address.join('=').trim()] };
}
