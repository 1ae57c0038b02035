/** Counts pods, and the requests and limits of their containers. */
import type { JsonObject } from '../../contract/index.js';
import { objectAt, objectsAt, stringAt } from '../guards.js';
import { nativeResources } from '../names/names.js';
import type { Naming } from '../names/naming.js';
import { byCodePoint } from '../printing.js';
import type { Quantity } from '../scan/quantity.js';
import { timeMillis } from '../scan/time.js';
import { type Amounts, addAmounts, amountsAt, amountsOf, largerAmounts, noAmounts } from './amounts.js';
import { countName, countOf, type Evaluator, evaluatorOf } from './evaluator.js';
import { podInScope } from './pod-scopes.js';

const count = countName('', 'pods');
const compute: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];
const plain: ReadonlySet<string> = new Set([
  count,
  'pods',
  ...compute.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
const hugePages = 'hugepages-';

/** If a quota limits one of these, each container must specify its amount. */
const demanded: ReadonlySet<string> = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);

/** Makes the evaluator of pods. Resources of running pods only change with a feature gate; updates cost then. */
export function definePods(names: Naming, chargesUpdates: boolean): Evaluator {
  const isNative = nativeResources(names);
  const isExtended = (name: string): boolean => !isNative(name) && !name.startsWith('requests.');
  return evaluatorOf({
    chargesUpdates,
    covers: (name) =>
      plain.has(name) ||
      name.startsWith(hugePages) ||
      name.startsWith(`requests.${hugePages}`) ||
      (name.startsWith('requests.') && !isNative(name)),
    // Every stored pod counts as an object. A pod that has ended uses nothing else.
    usage: (pod, now) =>
      new Map([[count, countOf(1)], ...(hasEnded(pod, now) ? [] : amountsOfDemand(demandOf(pod), isExtended))]),
    inScope: podInScope,
    unsaid: (pod, wanted) => unsaid(pod, wanted, isExtended),
  });
}

/** Returns whether a pod has ended. A pod past its deletion time counts as ended, because its node may be lost. */
function hasEnded(pod: JsonObject, now: number): boolean {
  const phase = stringAt(objectAt(pod, 'status'), 'phase');
  if (phase === 'Failed' || phase === 'Succeeded') return true;
  const metadata = objectAt(pod, 'metadata');
  const grace = metadata?.deletionGracePeriodSeconds;
  if (grace === undefined || grace === null) return false;
  const deletion = timeMillis(stringAt(metadata, 'deletionTimestamp'));
  return deletion !== undefined && now > deletion + Number(grace) * 1000;
}

/** Returns the amounts of a demand, by their names in quotas. */
function amountsOfDemand(
  { requests, limits }: PodDemand,
  isExtended: (name: string) => boolean,
): readonly (readonly [string, Quantity])[] {
  const used: (readonly [string, Quantity])[] = [['pods', countOf(1)]];
  for (const [name, amount] of requests) {
    const isPlain = compute.includes(name) || name.startsWith(hugePages);
    if (isPlain) used.push([name, amount]);
    if (isPlain || isExtended(name)) used.push([`requests.${name}`, amount]);
  }
  for (const name of compute) {
    const amount = limits.get(name);
    if (amount) used.push([`limits.${name}`, amount]);
  }
  return used;
}

function unsaid(
  pod: JsonObject,
  wanted: readonly string[],
  isExtended: (name: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const needed = wanted.filter((name) => demanded.has(name)).sort(byCodePoint);
  if (needed.length === 0) return new Map();
  const spec = objectAt(pod, 'spec');
  const said = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')].map((container) => {
    const demand = { requests: amountsIn(container, 'requests'), limits: amountsIn(container, 'limits') };
    const amounts: Amounts = new Map(amountsOfDemand(demand, isExtended));
    return { name: stringAt(container, 'name'), amounts };
  });
  const missing = needed.map((name) => {
    const silent = said.filter(({ amounts }) => !amounts.has(name)).map((container) => container.name);
    return [name, silent.sort(byCodePoint)] as const;
  });
  return new Map(missing.filter(([, containers]) => containers.length > 0));
}

interface PodDemand {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/**
 * Returns the demand of a pod. Adds the amounts of containers, because they run together. Init containers run one by
 * one before them, so the largest counts if it is more. Adds the overhead of the pod; for limits only if the pod has
 * one.
 */
function demandOf(pod: JsonObject): PodDemand {
  const spec = objectAt(pod, 'spec');
  const overhead = amountsAt(spec, 'overhead');
  const limits = total(spec, (container) => amountsIn(container, 'limits'));
  return {
    requests: addAmounts(total(spec, withGiven(pod)), overhead),
    limits: addAmounts(
      limits,
      amountsOf(overhead, (name) => (limits.get(name)?.digits ?? 0n) !== 0n),
    ),
  };
}

/** Returns the amounts of a container at `requests` or `limits`. */
const amountsIn = (container: JsonObject, key: 'requests' | 'limits'): Amounts =>
  amountsAt(objectAt(container, 'resources'), key);

function total(spec: JsonObject | undefined, of: (container: JsonObject, running: boolean) => Amounts): Amounts {
  const running = objectsAt(spec, 'containers').map((container) => of(container, true));
  const before = objectsAt(spec, 'initContainers').map((container) => of(container, false));
  return before.reduce(largerAmounts, running.reduce(addAmounts, noAmounts));
}

/**
 * Returns a container's demand during a resize. For a running container, this is the larger of its requests and its
 * allocation, or only its allocation if the resize is infeasible.
 */
function withGiven(pod: JsonObject): (container: JsonObject, running: boolean) => Amounts {
  const status = objectAt(pod, 'status');
  const given = new Map(
    objectsAt(status, 'containerStatuses').map((one) => [stringAt(one, 'name'), amountsAt(one, 'allocatedResources')]),
  );
  const isInfeasible = stringAt(status, 'resize') === 'Infeasible';
  return (container, running) => {
    const requests = amountsIn(container, 'requests');
    const has = running ? given.get(stringAt(container, 'name')) : undefined;
    if (!has || has.size === 0) return requests;
    return isInfeasible ? has : largerAmounts(requests, has);
  };
}
