/** Webhooks of configurations as the plugins work with them. */
import type { ApiObject, JsonObject, WebhookAddress } from '../../../runtime/contract/index.js';
import { isStringArray, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { type MatchResources, objectsAt, ruleOf, selectorAt } from '../matching/match-resources.js';

/** Versions of reviews that the server can send. */
export type ReviewVersion = 'v1' | 'v1beta1';

const reviewVersions: readonly ReviewVersion[] = ['v1', 'v1beta1'];

/** One webhook of a configuration. */
export interface WebhookSpec {
  readonly configuration: string;
  readonly name: string;
  readonly match: MatchResources;
  /** Expressions that have to hold for a request, beyond what it matches. */
  readonly conditions: readonly string[];
  readonly address: WebhookAddress;
  /** The first of its versions that the server knows; absent where there is none. */
  readonly review: ReviewVersion | undefined;
  readonly timeoutMs: number;
  readonly ignoresFailures: boolean;
  /** Whether it may be called for a dry run. */
  readonly allowsDryRun: boolean;
  /** Whether it is asked again when the object has changed after it was asked. */
  readonly isReinvoked: boolean;
}

/** The webhooks of a configuration, in order. */
export function webhookSpecs(configuration: ApiObject): readonly WebhookSpec[] {
  const name = configuration.metadata.name ?? '';
  return objectsAt(configuration, 'webhooks').map((webhook) => specOf(name, webhook));
}

function specOf(configuration: string, webhook: JsonObject): WebhookSpec {
  const { timeoutSeconds, admissionReviewVersions: accepted } = webhook;
  return {
    configuration,
    name: stringAt(webhook, 'name'),
    match: matchOf(webhook),
    conditions: objectsAt(webhook, 'matchConditions').map((each) => stringAt(each, 'expression')),
    address: addressOf(objectAt(webhook, 'clientConfig')),
    review: isStringArray(accepted)
      ? accepted.flatMap((each) => reviewVersions.filter((v) => v === each))[0]
      : undefined,
    timeoutMs: (typeof timeoutSeconds === 'number' ? timeoutSeconds : 10) * 1000,
    ignoresFailures: stringAt(webhook, 'failurePolicy') === 'Ignore',
    allowsDryRun: ['None', 'NoneOnDryRun'].includes(stringAt(webhook, 'sideEffects')),
    isReinvoked: stringAt(webhook, 'reinvocationPolicy') === 'IfNeeded',
  };
}

const matchOf = (webhook: JsonObject): MatchResources => ({
  rules: objectsAt(webhook, 'rules').map(ruleOf),
  exclude: [],
  equivalent: stringAt(webhook, 'matchPolicy') === 'Equivalent',
  namespaces: selectorAt(webhook, 'namespaceSelector'),
  objects: selectorAt(webhook, 'objectSelector'),
});

function addressOf(config: JsonObject | undefined): WebhookAddress {
  const bundle = stringAt(config, 'caBundle');
  const ca = bundle === '' ? undefined : Buffer.from(bundle, 'base64').toString();
  const service = objectAt(config, 'service');
  if (!service) return { ca, url: stringAt(config, 'url') };
  return {
    ca,
    namespace: stringAt(service, 'namespace'),
    name: stringAt(service, 'name'),
    port: typeof service.port === 'number' ? service.port : 443,
    path: stringAt(service, 'path'),
  };
}
