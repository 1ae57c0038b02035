/** Resources that may be used only where a quota covers them, as the configuration lists them. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import type { Amounts } from '../../../runtime/objects/amounts.js';
import type { Evaluator, ScopeCondition } from '../../../runtime/objects/quota/evaluator.js';
import { fields, list, oneOf, optional, type Schema, text } from '../configuration/schema.js';
import type { ConfigurationDefinition } from '../define-admission-plugin.js';

/** The use of a resource's objects that is allowed only where a quota covers it. */
export interface LimitedResource {
  readonly apiGroup: string;
  /** The plural. */
  readonly resource: string;
  /** Parts of the names under which quotas limit it. */
  readonly matchContains: readonly string[];
  /** Scopes of pods. */
  readonly matchScopes: readonly ScopeCondition[];
}

export interface QuotaConfiguration {
  readonly limitedResources: readonly LimitedResource[];
}

const scope: Schema<ScopeCondition> = fields({
  scopeName: oneOf(
    'Terminating',
    'NotTerminating',
    'BestEffort',
    'NotBestEffort',
    'PriorityClass',
    'CrossNamespacePodAffinity',
  ),
  operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist'),
  values: list(text),
});

export const quotaConfiguration: ConfigurationDefinition<QuotaConfiguration> = {
  apiVersions: ['apiserver.config.platform.io/v1'],
  kind: 'ResourceQuotaConfiguration',
  schema: fields({
    limitedResources: list(
      fields({
        apiGroup: optional(text, ''),
        resource: text,
        matchContains: list(text),
        matchScopes: list(scope),
      }),
    ),
  }),
  byDefault: { limitedResources: [] },
};

/** The names of what an object uses that some quota has to limit. */
export function namesToCover(
  limited: readonly LimitedResource[],
  resource: { readonly group: string; readonly plural: string },
  usage: Amounts,
): ReadonlySet<string> {
  const parts = limited
    .filter((one) => one.apiGroup === resource.group && one.resource === resource.plural)
    .flatMap(({ matchContains }) => matchContains);
  const used = [...usage].filter(([, amount]) => amount.digits > 0n).map(([name]) => name);
  return new Set(used.filter((name) => parts.some((part) => name.includes(part))));
}

/** The scopes of an object that some quota has to be about. */
export const scopesToCover = (
  limited: readonly LimitedResource[],
  evaluator: Evaluator,
  object: JsonObject,
): readonly ScopeCondition[] =>
  limited.flatMap(({ matchScopes }) => matchScopes).filter((condition) => evaluator.inScope(object, condition));
