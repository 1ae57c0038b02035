/** The limit ranges of each namespace, and the checks of objects against them. */
import type { ApiObject, JsonObject, ObjectSink } from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import { objectAt, objectsAt, stringAt } from '../../runtime/objects/guards.js';
import {
  type Amounts,
  addAmounts,
  amountsAt,
  amountsOf,
  amountsTogether,
  largerAmounts,
} from '../../runtime/objects/quota/amounts.js';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  type Quantity,
  quantityInUnits,
  quantityToNumber,
} from '../../runtime/objects/scan/quantity.js';

/** One limit: the bounds of one type. */
export interface Limit {
  /** `Container`, `Pod` or `PersistentVolumeClaim`; other types check nothing. */
  readonly type: string;
  readonly min: Amounts;
  readonly max: Amounts;
  readonly ratio: Amounts;
}

export interface LimitRange {
  readonly limits: readonly Limit[];
  /** Amounts for containers that set none, as the object has them. */
  readonly defaults: { readonly requests: JsonObject; readonly limits: JsonObject };
}

export class LimitRanges implements ObjectSink {
  readonly #byNamespace = new Map<string, Map<string, LimitRange>>();

  changed(object: ApiObject): void {
    const { namespace = '', name = '' } = object.metadata;
    const ranges = this.#byNamespace.get(namespace) ?? new Map<string, LimitRange>();
    this.#byNamespace.set(namespace, ranges.set(name, readRange(object)));
  }

  removed(namespace: string, name: string): void {
    const ranges = this.#byNamespace.get(namespace);
    ranges?.delete(name);
    if (ranges?.size === 0) this.#byNamespace.delete(namespace);
  }

  reset(): void {
    this.#byNamespace.clear();
  }

  /** Returns the limit ranges of a namespace, sorted by name. */
  of(namespace: string): readonly LimitRange[] {
    const ranges = this.#byNamespace.get(namespace);
    if (!ranges) return [];
    return [...ranges].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, range]) => range);
  }
}

function readRange(object: ApiObject): LimitRange {
  const limits = objectsAt(objectAt(object, 'spec'), 'limits');
  const ofContainers = limits.filter(({ type }) => type === 'Container');
  const gather = (key: string): JsonObject =>
    Object.assign({}, ...ofContainers.map((limit) => clone(objectAt(limit, key) ?? {})));
  return {
    limits: limits.map((limit) => ({
      type: stringAt(limit, 'type'),
      min: amountsAt(limit, 'min'),
      max: amountsAt(limit, 'max'),
      ratio: amountsAt(limit, 'maxLimitRequestRatio'),
    })),
    defaults: { requests: gather('defaultRequest'), limits: gather('default') },
  };
}

/** Checks the demand of a container or a pod. */
export function* checkDemand({ type, min, max, ratio }: Limit, demand: Demand): Iterable<string> {
  yield* brokenBounds(checkMin, type, min, demand);
  yield* brokenBounds(checkMax, type, max, demand);
  yield* brokenBounds(checkRatio, type, ratio, demand);
}

/** Checks the demand of a claim, which has no limits. */
export function* checkRequests({ type, min, max }: Limit, { requests }: Demand): Iterable<string> {
  const demand = { requests, limits: new Map() };
  yield* brokenBounds(checkMin, type, min, demand);
  yield* brokenBounds(checkMaxRequest, type, max, demand);
}

function* brokenBounds(check: Check, type: string, bounds: Amounts, demand: Demand): Iterable<string> {
  for (const [name, bound] of bounds) {
    const problem = check(name, type, bound, demand);
    if (problem !== undefined) yield problem;
  }
}

/** Checks the demand for one resource against one bound. */
type Check = (name: string, type: string, bound: Quantity, demand: Demand) => string | undefined;

const checkMin: Check = (name, type, bound, { requests, limits }) => {
  const said = `minimum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  if (!request) return `${said}.  No request is specified`;
  if (compareQuantities(request, bound) < 0) return `${said}, but request is ${formatQuantity(request)}`;
  if (limit && compareQuantities(limit, bound) < 0) return `${said}, but limit is ${formatQuantity(limit)}`;
  return undefined;
};

const checkMax: Check = (name, type, bound, { requests, limits }) => {
  const said = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  if (!limit) return `${said}.  No limit is specified`;
  if (compareQuantities(limit, bound) > 0) return `${said}, but limit is ${formatQuantity(limit)}`;
  if (request && compareQuantities(request, bound) > 0) return `${said}, but request is ${formatQuantity(request)}`;
  return undefined;
};

const checkMaxRequest: Check = (name, type, bound, { requests }) => {
  const said = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  const request = requests.get(name);
  if (!request) return `${said}.  No request is specified`;
  return compareQuantities(request, bound) > 0 ? `${said}, but request is ${formatQuantity(request)}` : undefined;
};

const checkRatio: Check = (name, type, bound, { requests, limits }) => {
  const said = `${name} max limit to request ratio per ${type} is ${formatQuantity(bound)}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  if (!request || request.digits === 0n) return `${said}, but no request is specified or request is 0`;
  if (!limit || limit.digits === 0n) return `${said}, but no limit is specified or limit is 0`;
  if (compareQuantities(limit, times(bound, request)) <= 0) return undefined;
  const ratio = quantityToNumber(limit) / quantityToNumber(request);
  return `${said}, but provided ratio is ${ratio.toFixed(6)}`;
};

const times = (a: Quantity, b: Quantity): Quantity => ({
  digits: a.digits * b.digits,
  exponent: a.exponent + b.exponent,
  notation: a.notation,
});

/** The requests and limits of a container, a pod or a claim. */
interface Demand {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** Returns the demand of a container or a claim. */
export const demandOf = (holder: JsonObject | undefined): Demand => {
  const resources = objectAt(holder, 'resources');
  return { requests: amountsAt(resources, 'requests'), limits: amountsAt(resources, 'limits') };
};

/**
 * Returns the demand of a pod: the sum of its containers, or of an init container if that is more. All amounts are in
 * decimal notation, as in the errors of the reference.
 */
export function demandOfPod(spec: JsonObject): Demand {
  const decimalDemandOf = (container: JsonObject): Demand => {
    const { requests, limits } = demandOf(container);
    return { requests: inDecimal(requests), limits: inDecimal(limits) };
  };
  const containers = objectsAt(spec, 'containers').map(decimalDemandOf);
  const before = objectsAt(spec, 'initContainers').map(decimalDemandOf);
  const total = (of: (demand: Demand) => Amounts): Amounts =>
    before.map(of).reduce(largerAmounts, sum(containers.map(of)));
  return { requests: total(({ requests }) => requests), limits: total(({ limits }) => limits) };
}

/**
 * Returns the demand of a pod as later releases do: if the pod itself has resources, they count, and its containers do
 * not. A container without a limit does not count.
 */
export function demandOfWholePod(spec: JsonObject): Demand {
  const own = demandOf(spec);
  const overhead = amountsAt(spec, 'overhead');
  const requests = withOwn(total(spec, 'requests'), own.requests);
  const limits = withOwn(total(spec, 'limits'), own.limits);
  return {
    requests: addAmounts(requests, overhead),
    limits: addAmounts(
      limits,
      amountsOf(overhead, (name) => limits.has(name)),
    ),
  };
}

function total(spec: JsonObject, key: keyof Demand): Amounts {
  const pod = { containers: objectsAt(spec, 'containers'), initContainers: objectsAt(spec, 'initContainers') };
  const isSidecar = (container: JsonObject): boolean => stringAt(container, 'restartPolicy') === 'Always';
  return amountsTogether(pod, (container) => demandOf(container)[key], isSidecar);
}

const withOwn = (amounts: Amounts, own: Amounts): Amounts => new Map([...amounts, ...own]);

/** Returns amounts in whole units and in decimal notation; processors count in thousandths. */
function inDecimal(amounts: Amounts): Amounts {
  const decimal = ([name, amount]: [string, Quantity]): [string, Quantity] => {
    const exponent = name === 'cpu' ? -3 : 0;
    return [name, { digits: quantityInUnits(amount, exponent), exponent, notation: 'decimal' }];
  };
  return new Map([...amounts].map(decimal));
}

/** Adds amounts. A resource that one container does not limit has no sum, because that container may use any amount. */
function sum(all: readonly Amounts[]): Amounts {
  const [first = new Map(), ...rest] = all;
  const totals = new Map(first);
  for (const amounts of rest) {
    for (const [name, total] of totals) {
      const more = amounts.get(name);
      if (more) totals.set(name, addQuantities(total, more));
      else totals.delete(name);
    }
  }
  return totals;
}
