/** ResourceQuota: keeps the objects of a namespace within its quotas. */
import type {
  AdmissionContext,
  AdmissionHost,
  AdmissionPlugin,
  ApiObject,
  Failure,
} from '../../runtime/contract/index.js';
import { isFailure } from '../../runtime/objects/failures.js';
import { objectAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { byCodePoint } from '../../runtime/objects/printing.js';
import type { Amounts } from '../../runtime/objects/quota/amounts.js';
import { isAbout, type Quota, quotaOf, readQuota } from '../../runtime/objects/quota/evaluator.js';
import { defineEvaluators } from '../../runtime/objects/quota/evaluators.js';
import { formatQuantity } from '../../runtime/objects/scan/quantity.js';
import { defineAdmissionPlugin } from './define-admission-plugin.js';
import { checkRequest, type LimitedResource, quotaConfiguration, type Request } from './quota-check.js';

export function defineResourceQuota(names: Naming): AdmissionPlugin {
  let evaluators = defineEvaluators(names);
  let charge: ChargeQuotas = () => undefined;
  return defineAdmissionPlugin({
    name: 'ResourceQuota',
    configuration: quotaConfiguration,
    start(host, { limitedResources }) {
      evaluators = defineEvaluators(names, { podsResize: host.featureEnabled('InPlacePodVerticalScaling') });
      charge = defineCharging(host, limitedResources);
    },
    handles({ group, names: { plural }, scope }, operation, subresource) {
      const evaluator = scope === 'Namespaced' && subresource === '' ? evaluators(group, plural) : undefined;
      return operation === 'CREATE' ? evaluator !== undefined : operation === 'UPDATE' && !!evaluator?.chargesUpdates;
    },
    validate(attributes, context) {
      const { object, resource } = attributes;
      const evaluator = evaluators(resource.group, resource.names.plural);
      return object && evaluator && charge({ attributes, object, evaluator }, context);
    },
  });
}

/** A request in the queue. */
interface Waiting {
  readonly request: Request;
  readonly answer: (failure: Failure | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** Charges the quotas of a request. Returns a failure to refuse it. */
type ChargeQuotas = (request: Request, context: AdmissionContext) => Failure | undefined | Promise<Failure | undefined>;

/**
 * Creates the function that charges quotas. It updates the status of quotas by compare-and-swap before the write goes
 * on, so all servers over the same data stay within the quotas together. If the write fails later, the charge remains
 * until the quota is recalculated.
 */
function defineCharging(host: AdmissionHost, limited: readonly LimitedResource[]): ChargeQuotas {
  const followed = host.objects('', 'resourcequotas');
  const quotasIn = (namespace: string): readonly Quota[] =>
    [...followed.list(namespace)].map(quotaOf).sort((a, b) => byCodePoint(a.name, b.name));
  const waiting = new Map<string, Waiting[]>();

  /** Settles batch after batch. Never rejects: errors go to the requests. */
  async function work(namespace: string, first: Waiting[]): Promise<void> {
    for (let batch = first; batch.length > 0; ) {
      const queue: Waiting[] = [];
      waiting.set(namespace, queue);
      try {
        await settle(host, quotasIn(namespace), limited, batch);
      } catch (error) {
        for (const { fail } of batch) fail(error);
      }
      batch = queue;
    }
    waiting.delete(namespace);
  }

  async function charged(request: Request, context: AdmissionContext): Promise<Failure | undefined> {
    const unconfirmed = await context.confirm?.();
    if (unconfirmed) return unconfirmed;
    const { namespace } = request.attributes;
    return new Promise((answer, fail) => {
      const one = { request, answer, fail };
      const queue = waiting.get(namespace);
      if (queue) queue.push(one);
      else void work(namespace, [one]);
    });
  }

  return (request, context) => {
    // Most writes match no quota, and must not wait for writes that match one.
    const isOfNone = limited.length === 0 && !isLimited(request, followed.list(request.attributes.namespace));
    return isOfNone ? undefined : charged(request, context);
  };
}

function isLimited({ evaluator, object }: Request, quotas: Iterable<ApiObject>): boolean {
  for (const one of quotas) if (isAbout(quotaOf(one), evaluator, object)) return true;
  return false;
}

/** Answers all requests of a batch in their order. */
async function settle(
  host: AdmissionHost,
  quotas: readonly Quota[],
  limited: readonly LimitedResource[],
  batch: readonly Waiting[],
): Promise<void> {
  const current = new Map(quotas.map((quota) => [quota.name, quota]));
  const toCharge = new Map<Waiting, readonly string[]>();
  for (const one of batch) {
    const checked = checkRequest(one.request, [...current.values()], limited);
    if (!checked.ok) one.answer(checked.failure);
    else if (checked.value.size === 0 || one.request.attributes.dryRun) one.answer(undefined);
    else {
      for (const [quota, used] of checked.value) current.set(quota.name, { ...quota, used });
      toCharge.set(
        one,
        [...checked.value.keys()].map(({ name }) => name),
      );
    }
  }
  for (const { name } of quotas) {
    const those = [...toCharge].filter(([, names]) => names.includes(name)).map(([one]) => one);
    for (const [one, failure] of await chargeQuota(host, name, those)) {
      one.answer(failure);
      toCharge.delete(one);
    }
  }
  for (const one of toCharge.keys()) one.answer(undefined);
}

/** Charges requests to a stored quota and returns the requests that do not fit. */
async function chargeQuota(
  host: AdmissionHost,
  name: string,
  requests: readonly Waiting[],
): Promise<ReadonlyMap<Waiting, Failure>> {
  const [first] = requests;
  if (!first) return new Map();
  let refused = new Map<Waiting, Failure>();
  const place = { group: '', resource: 'resourcequotas', namespace: first.request.attributes.namespace, name };
  const updated = await host.update(place, (object) => {
    refused = new Map();
    let quota = readQuota(object);
    for (const one of requests) {
      const checked = checkRequest(one.request, [quota], []);
      if (!checked.ok) refused.set(one, checked.failure);
      else for (const used of checked.value.values()) quota = { ...quota, used };
    }
    setUsed(object, quota.used);
    return undefined;
  });
  if (updated.ok) return refused;
  // A deleted quota limits nothing.
  if (isFailure(updated.failure, 'NotFound')) return new Map();
  return new Map(requests.map((one) => [one, updated.failure]));
}

function setUsed(object: ApiObject, used: Amounts): void {
  const status = objectAt(object, 'status') ?? {};
  status.used = Object.fromEntries([...used].map(([name, amount]) => [name, formatQuantity(amount)]));
  object.status = status;
}
