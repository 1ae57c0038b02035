/** Charges writes to the quotas of their namespaces, together where several wait for the same ones. */
import type { AdmissionContext, AdmissionHost, ApiObject, Failure } from '../../../runtime/contract/index.js';
import type { Amounts } from '../../../runtime/objects/amounts.js';
import { isFailure } from '../../../runtime/objects/failures.js';
import { objectAt } from '../../../runtime/objects/guards.js';
import { byCodePoint } from '../../../runtime/objects/printing.js';
import { isAbout, type Quota, quotaOf, readQuota } from '../../../runtime/objects/quota/evaluator.js';
import { formatQuantity } from '../../../runtime/objects/scan/quantity.js';
import { checkRequest, type Request } from './check-request.js';
import type { LimitedResource } from './limited-resources.js';

/** A request that waits for its answer. */
interface Waiting {
  readonly request: Request;
  readonly answer: (failure: Failure | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** Answers a request once its quotas are charged; a failure refuses it. */
export type ChargeQuotas = (
  request: Request,
  context: AdmissionContext,
) => Failure | undefined | Promise<Failure | undefined>;

/**
 * A quota is charged by compare-and-swap of its status before the write goes on, so that all servers over the same data
 * together stay within it. A write that fails later has been charged all the same, until its objects are counted again.
 */
export function defineCharging(host: AdmissionHost, limited: readonly LimitedResource[]): ChargeQuotas {
  const followed = host.objects('', 'resourcequotas');
  const quotasIn = (namespace: string): readonly Quota[] =>
    [...followed.list(namespace)].map(quotaOf).sort((a, b) => byCodePoint(a.name, b.name));
  const waiting = new Map<string, Waiting[]>();

  /** Settles batch after batch. Never rejects: errors are those of the requests. */
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
    // Most writes are about no quota, and must not wait for those that are.
    const isOfNone = limited.length === 0 && !isLimited(request, followed.list(request.attributes.namespace));
    return isOfNone ? undefined : charged(request, context);
  };
}

function isLimited({ evaluator, object }: Request, quotas: Iterable<ApiObject>): boolean {
  for (const one of quotas) if (isAbout(quotaOf(one), evaluator, object)) return true;
  return false;
}

/** Answers all requests of a batch, in their order. */
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

/** Charges requests to a quota as it is stored by now; answers with those that do not fit. */
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
  // A quota that is gone limits nothing.
  if (isFailure(updated.failure, 'NotFound')) return new Map();
  return new Map(requests.map((one) => [one, updated.failure]));
}

function setUsed(object: ApiObject, used: Amounts): void {
  const status = objectAt(object, 'status') ?? {};
  status.used = Object.fromEntries([...used].map(([name, amount]) => [name, formatQuantity(amount)]));
  object.status = status;
}
