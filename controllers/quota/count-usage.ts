/** Counts the usage of a quota by the objects of its namespace. */
import { type ClientOptions, createResourceClient, isNotFound } from '../../client/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { type Amounts, addAmounts, amountsOf } from '../../runtime/objects/quota/amounts.js';
import { countOf, isInScopes, type ScopeCondition } from '../../runtime/objects/quota/evaluator.js';
import type { Quantity } from '../../runtime/objects/scan/quantity.js';
import type { CountedResource } from './resources.js';

/** The part of a quota that says what to count. */
export interface Counting {
  readonly namespace: string;
  /** The names of its limits. */
  readonly names: readonly string[];
  readonly scopes: readonly ScopeCondition[];
}

/** Returns the usage for each limit that some resource counts towards. Reads the latest state. */
export async function countUsage(
  client: ClientOptions,
  resources: readonly CountedResource[],
  counting: Counting,
  signal: AbortSignal,
): Promise<Amounts> {
  // Starts at zero, because a kind that the server does not have has no objects.
  const used = new Map<string, Quantity>(
    counting.names.filter((name) => name.startsWith('count/')).map((name) => [name, countOf(0)]),
  );
  for (const one of resources) {
    for (const [name, amount] of await usageOf(client, one, counting, signal)) used.set(name, amount);
  }
  return used;
}

async function usageOf(
  client: ClientOptions,
  { resource, evaluator }: CountedResource,
  { namespace, names, scopes }: Counting,
  signal: AbortSignal,
): Promise<Amounts> {
  const covered = names.filter(evaluator.covers);
  const nothing: Amounts = new Map(covered.map((name) => [name, countOf(0)]));
  if (covered.length === 0) return nothing;
  const objects = createResourceClient(resource, client).in(namespace);
  try {
    if (evaluator.numberOnly) {
      if (scopes.length > 0) return nothing;
      const { items, metadata } = await objects.list({ limit: 1, signal });
      const number = countOf(items.length + (metadata.remainingItemCount ?? 0));
      return new Map(covered.map((name) => [name, number]));
    }
    let sum = nothing;
    const now = Date.now();
    for await (const object of objects.each({ signal })) {
      if (!isObject(object) || !isInScopes(scopes, evaluator, object)) continue;
      sum = addAmounts(
        sum,
        amountsOf(evaluator.usage(object, now), (name) => nothing.has(name)),
      );
    }
    return sum;
  } catch (error) {
    if (isNotFound(error)) return nothing;
    throw error;
  }
}
