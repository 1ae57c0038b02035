/** Holds a write against the quotas of its namespace: what it would charge to each, or why it is refused. */
import type { AdmissionAttributes, ApiObject, Failure, Result } from '../../../runtime/contract/index.js';
import { type Amounts, addAmounts, amountsBeyond, amountsOf } from '../../../runtime/objects/amounts.js';
import { memoizeByObject } from '../../../runtime/objects/memoize.js';
import { byCodePoint } from '../../../runtime/objects/printing.js';
import { type Evaluator, isAbout, type Quota, type ScopeCondition } from '../../../runtime/objects/quota/evaluator.js';
import { compareQuantities, formatQuantity } from '../../../runtime/objects/scan/quantity.js';
import { refuse } from '../refuse.js';
import { type LimitedResource, namesToCover, scopesToCover } from './limited-resources.js';

/** A write that may use something. */
export interface Request {
  readonly attributes: AdmissionAttributes;
  readonly object: ApiObject;
  readonly evaluator: Evaluator;
}

/** The quotas to charge, with what they then have used. */
export type Charges = ReadonlyMap<Quota, Amounts>;

/** A charge to each of the quotas that are about the object, or to none. */
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

/** The reason for which a quota cannot be charged, whatever it has left. */
function unready({ object, evaluator }: Request, quota: Quota): string | undefined {
  const names = limitsOf(quota, evaluator);
  const unsaid = [...evaluator.unsaid(object, names)].map(([name, who]) => `${name} for: ${who.join(',')}`);
  if (unsaid.length > 0) return `failed quota: ${quota.name}: must specify ${unsaid.join('; ')}`;
  if (names.every((name) => quota.used.has(name))) return undefined;
  return `status unknown for quota: ${quota.name}, resources: ${names.join(',')}`;
}

/** The amounts that a request uses more than before. They are found once, and held against several states of quotas. */
const chargeOf: (request: Request) => Result<Amounts> = memoizeByObject(findCharge);

/** Amounts that an update gives back are found when the objects are counted again. */
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

/** The reason for which something may not be used without a quota that is about it, and there is none. */
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

/** The amounts that a quota has used once it is charged. */
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
