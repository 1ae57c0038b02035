/** Checks a write against the quotas of its namespace: how much it charges to each, or why they refuse it. */
import type { AdmissionAttributes, ApiObject, Failure, JsonObject, Result } from '../../runtime/contract/index.js';
import { memoizeByObject } from '../../runtime/objects/memoize.js';
import { byCodePoint } from '../../runtime/objects/printing.js';
import { type Amounts, addAmounts, amountsBeyond, amountsOf } from '../../runtime/objects/quota/amounts.js';
import { type Evaluator, isAbout, type Quota, type ScopeCondition } from '../../runtime/objects/quota/evaluator.js';
import { compareQuantities, formatQuantity } from '../../runtime/objects/scan/quantity.js';
import { fields, list, oneOf, optional, type Schema, text } from './configuration.js';
import { type ConfigurationDefinition, refuse } from './define-admission-plugin.js';

export interface Request {
  readonly attributes: AdmissionAttributes;
  readonly object: ApiObject;
  readonly evaluator: Evaluator;
}

/** The quotas to charge, with their usage afterwards. */
export type Charges = ReadonlyMap<Quota, Amounts>;

/** Computes what a write charges: to every quota that matches, or to none. */
export function checkRequest(
  request: Request,
  quotas: readonly Quota[],
  limited: readonly LimitedResource[],
): Result<Charges> {
  const { object, evaluator } = request;
  const concerned = quotas.filter((quota) => isAbout(quota, evaluator, object));
  for (const quota of concerned) {
    const why = unready(request, quota);
    if (why !== undefined) return refused(request, why);
  }
  const charge = chargeOf(request);
  if (!charge.ok || charge.value.size === 0) return charge.ok ? { ok: true, value: new Map() } : charge;
  const why = uncovered(request, quotas, concerned, limited);
  if (why !== undefined) return refused(request, why);
  const charges = new Map<Quota, Amounts>();
  for (const quota of concerned) {
    const used = chargeQuota(request, quota, charge.value);
    if (!used.ok) return used;
    charges.set(quota, used.value);
  }
  return { ok: true, value: charges };
}

const refused = ({ attributes }: Pick<Request, 'attributes'>, why: string): { ok: false; failure: Failure } => ({
  ok: false,
  failure: refuse(attributes, why),
});

const limitsOf = ({ hard }: Quota, { covers }: Evaluator): readonly string[] => [...hard.keys()].filter(covers);

/** Returns why a quota cannot be charged at all. */
function unready({ object, evaluator }: Request, quota: Quota): string | undefined {
  const names = limitsOf(quota, evaluator);
  const unsaid = [...evaluator.unsaid(object, names)].map(([name, who]) => `${name} for: ${who.join(',')}`);
  if (unsaid.length > 0) return `failed quota: ${quota.name}: must specify ${unsaid.join('; ')}`;
  if (names.every((name) => quota.used.has(name))) return undefined;
  return `status unknown for quota: ${quota.name}, resources: ${names.join(',')}`;
}

/**
 * Returns the additional amounts of a request. They are computed once and compared with several states of the quotas.
 */
const chargeOf: (request: Request) => Result<Amounts> = memoizeByObject(findCharge);

/** Computes the additional amounts. Amounts that an update frees are counted when the quota is recalculated. */
function findCharge({ attributes, object, evaluator }: Request): Result<Amounts> {
  const now = Date.now();
  const usage = evaluator.usage(object, now);
  const negative = [...amountsOf(usage, (name) => (usage.get(name)?.digits ?? 0n) < 0n).keys()].sort(byCodePoint);
  if (negative.length > 0) {
    return refused({ attributes }, `quota usage is negative for resource(s): ${negative.join(',')}`);
  }
  const { operation, oldObject } = attributes;
  const before = operation === 'UPDATE' && oldObject ? evaluator.usage(oldObject, now) : new Map();
  return { ok: true, value: amountsBeyond(usage, before) };
}

/** Returns the problem if an object uses something that needs a quota, and no quota covers it. */
function uncovered(
  { attributes, object, evaluator }: Request,
  quotas: readonly Quota[],
  concerned: readonly Quota[],
  limited: readonly LimitedResource[],
): string | undefined {
  if (limited.length === 0) return undefined;
  const { group, names } = attributes.resource;
  const covered = new Set(concerned.flatMap((quota) => limitsOf(quota, evaluator)));
  const usage = evaluator.usage(object, Date.now());
  const missing = [...namesToCover(limited, { group, plural: names.plural }, usage)].filter(
    (name) => !covered.has(name),
  );
  if (missing.length > 0) return `insufficient quota to consume: ${missing.sort(byCodePoint).join(',')}`;
  const coveredScopes = new Set(
    quotas
      .flatMap(({ scopes }) => scopes.filter((condition) => evaluator.inScope(object, condition)))
      .map(({ scopeName }) => scopeName),
  );
  const open = scopesToCover(limited, evaluator, object).filter(({ scopeName }) => !coveredScopes.has(scopeName));
  return open.length > 0 ? `insufficient quota to match these scopes: [${open.map(printed).join(' ')}]` : undefined;
}

const printed = ({ scopeName, operator, values }: ScopeCondition): string =>
  `{${scopeName} ${operator} [${values.join(' ')}]}`;

/** Returns the usage of a quota after a charge. */
function chargeQuota(request: Request, quota: Quota, charge: Amounts): Result<Amounts> {
  const { name, hard, used } = quota;
  const requested = amountsOf(charge, (resource) => hard.has(resource));
  const after = addAmounts(used, requested);
  const exceeded = [...requested.keys()]
    .filter((resource) => {
      const [wanted, limit] = [after.get(resource), hard.get(resource)];
      return wanted && limit && compareQuantities(wanted, limit) > 0;
    })
    .sort(byCodePoint);
  if (exceeded.length === 0) return { ok: true, value: after };
  const shown = (amounts: Amounts): string =>
    exceeded.map((resource) => `${resource}=${shownAmount(amounts, resource)}`).join(',');
  return refused(
    request,
    `exceeded quota: ${name}, requested: ${shown(requested)}, used: ${shown(used)}, limited: ${shown(hard)}`,
  );
}

const shownAmount = (amounts: Amounts, resource: string): string => {
  const amount = amounts.get(resource);
  return amount ? formatQuantity(amount) : '0';
};

/** Objects of a resource that may be used only if a quota covers them. */
export interface LimitedResource {
  readonly apiGroup: string;
  /** The plural. */
  readonly resource: string;
  /** A use needs a quota if its name contains one of these texts. */
  readonly matchContains: readonly string[];
  /** Scopes of pods. */
  readonly matchScopes: readonly ScopeCondition[];
}

interface QuotaConfiguration {
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

/** Returns the names of the amounts that an object uses and a quota must limit. */
function namesToCover(
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

/** Returns the scopes of an object that a quota must match. */
const scopesToCover = (
  limited: readonly LimitedResource[],
  evaluator: Evaluator,
  object: JsonObject,
): readonly ScopeCondition[] =>
  limited.flatMap(({ matchScopes }) => matchScopes).filter((condition) => evaluator.inScope(object, condition));
