/** Says how a demand breaks a limit. */
import type { Amounts } from '../../../runtime/objects/amounts.js';
import {
  compareQuantities,
  formatQuantity,
  type Quantity,
  quantityToNumber,
} from '../../../runtime/objects/scan/quantity.js';
import type { Demand } from './amounts.js';
import type { Limit } from './limit-ranges.js';

/** All problems of what a container or a pod asks for. */
export function* checkDemand({ type, min, max, ratio }: Limit, demand: Demand): Iterable<string> {
  yield* brokenBounds(checkMin, type, min, demand);
  yield* brokenBounds(checkMax, type, max, demand);
  yield* brokenBounds(checkRatio, type, ratio, demand);
}

/** All problems of what a claim asks for, which has no limits. */
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

/** A bound of a resource, and what is asked for of it. */
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
