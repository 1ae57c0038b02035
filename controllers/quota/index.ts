/** Keeps the limits and usage in the status of quotas up to date by counting objects again. */
import { createResourceClient, isTooLarge, keyOf, sleep } from '../../client/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { type Amounts, amountsAt } from '../../runtime/objects/quota/amounts.js';
import { scopesOf } from '../../runtime/objects/quota/evaluator.js';
import { defineEvaluators } from '../../runtime/objects/quota/evaluators.js';
import { compareQuantities, formatQuantity } from '../../runtime/objects/scan/quantity.js';
import type { Controller } from '../controller.js';
import { type ControllerContext, defineController } from '../kit/define-controller.js';
import { watch } from '../kit/watch.js';
import { countUsage } from './count-usage.js';
import { CountedResources, knownForMs } from './counted-resources.js';
import { Pace, settledAfterMs } from './pace.js';
import { quotas, type ResourceQuota } from './resources.js';

export interface QuotaOptions {
  readonly naming: Naming;
  /** How often to count all quotas even if nothing seems to have changed, milliseconds. Default: 5 minutes. */
  readonly recountMs?: number;
}

/** How long to gather deletions before counting, milliseconds. */
const gatherMs = 20;

/** Defines the controller. A key is the key of a quota. */
export const defineQuotaController = ({ naming, recountMs = 300_000 }: QuotaOptions): Controller => ({
  name: 'resourcequota',
  run: (parts) => {
    const evaluators = defineEvaluators(naming);
    let counter: Counter | undefined;
    const counterOf = (context: ControllerContext): Counter => {
      const { client, informers, clock, queue, signal } = context;
      if (counter) return counter;
      const pace = new Pace(clock);
      const onChange = (key: string): void => {
        pace.outdate(key);
        queue.addAfter(key, gatherMs);
      };
      const counted = new CountedResources({ client, informers, clock, evaluators, signal, onChange });
      counter = { pace, counted };
      return counter;
    };
    const controller = defineController({
      name: 'resourcequota',
      watches: [watch(quotas)],
      workers: 5,
      reconcile: (key, context) => reconcile(key, context, counterOf(context)),
      beside: (context) => recountAll(context, counterOf(context), recountMs),
    });
    return controller.run(parts).finally(() => counter?.counted.close());
  },
});

interface Counter {
  readonly pace: Pace;
  readonly counted: CountedResources;
}

/** Queues all quotas at intervals, and when the server's resources have changed. */
async function recountAll(context: ControllerContext, { pace, counted }: Counter, everyMs: number): Promise<void> {
  const { signal, clock, queue, cacheOf, onError } = context;
  const all = cacheOf(quotas);
  const refresh = async (): Promise<boolean> => all.size > 0 && counted.refresh();
  for (let since = clock.monotonicMs(); !signal.aborted; ) {
    await sleep(Math.min(everyMs, knownForMs), signal, clock);
    const isChanged = await refresh().catch((error) => {
      if (!signal.aborted) onError('resources of the server', error);
      return false;
    });
    if (!isChanged && clock.monotonicMs() - since < everyMs) continue;
    since = clock.monotonicMs();
    for (const key of [...all.values()].map(keyOf)) {
      pace.outdate(key);
      queue.add(key);
    }
  }
}

async function reconcile(key: string, context: ControllerContext, { pace, counted }: Counter): Promise<void> {
  const { cacheOf, queue } = context;
  const known = cacheOf(quotas).get(key);
  if (known === undefined) {
    counted.forget(key);
    pace.forget(key);
    return;
  }
  pace.see(key, known.metadata.resourceVersion ?? '');
  const holds = sameTexts(known.spec?.hard, known.status?.hard);
  const wait = holds ? Math.max(pace.counted(key), pace.rest(key)) : 0;
  if (wait > 0) {
    if (wait < Number.POSITIVE_INFINITY) queue.addAfter(key, wait);
    return;
  }
  pace.begin(key);
  try {
    const again = await recount(key, known, context, { pace, counted });
    if (again === undefined) return;
    pace.outdate(key, again);
    queue.addAfter(key, again);
  } catch (error) {
    pace.outdate(key);
    if (!isTooLarge(error)) throw error;
    // The limits are too large for a status. Only a change of the limits helps, and such a change queues the quota.
    context.onError(key, error);
  }
}

/** Counts a quota. Resolves to the milliseconds until the next count, if that is known. */
async function recount(
  key: string,
  { metadata: { name = '', namespace = '' }, spec: known }: ResourceQuota,
  { client, signal }: ControllerContext,
  { pace, counted }: Counter,
): Promise<number | undefined> {
  const names = Object.keys(known?.hard ?? {});
  const resources = await counted.use(key, names);
  // The revision shows which writes were charged. Objects are counted after it was read.
  const inside = createResourceClient(quotas, client).in(namespace);
  const [quota] = (await inside.list({ fieldSelector: `metadata.name=${name}`, signal })).items;
  if (quota === undefined) return undefined;
  pace.see(key, quota.metadata.resourceVersion ?? '');
  const { spec: { hard = {} } = {}, status: { hard: held, used: before = {} } = {} } = quota;
  const limits = new Set(names);
  if (Object.keys(hard).some((one) => !limits.has(one))) return 0;
  const counting = { namespace, names, scopes: scopesOf(isObject(quota.spec) ? quota.spec : undefined) };
  const used = await pace.counting(key, () => countUsage(client, resources, counting, signal));
  const holds = sameTexts(hard, held);
  const unsettled = pace.unsettled(key);
  if (holds && unsettled > 0 && isLess(used, before)) return unsettled;
  const next = { hard, used: usedTexts(hard, before, used) };
  if (!holds || !sameTexts(next.used, before)) {
    const changed = { ...quota, apiVersion: 'v1', kind: 'ResourceQuota', status: next };
    const updated = await inside.subresource('status').update(changed, { signal });
    pace.wrote(key, updated.metadata.resourceVersion ?? '');
  }
  // A write that started before a limit existed was not charged.
  return holds ? undefined : settledAfterMs;
}

/** Returns the counted amounts. For limits that no resource counts towards, returns the earlier amounts. */
function usedTexts(
  hard: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
  used: Amounts,
): Record<string, string> {
  const entries = Object.keys(hard).flatMap((name) => {
    const amount = used.get(name);
    const text = amount ? formatQuantity(amount) : before[name];
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(entries);
}

function isLess(used: Amounts, before: Record<string, string>): boolean {
  const was = amountsAt({ before }, 'before');
  return [...used].some(([name, amount]) => {
    const amountBefore = was.get(name);
    return amountBefore !== undefined && compareQuantities(amount, amountBefore) < 0;
  });
}

function sameTexts(a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
