/** Checks that a patch's list agrees with the order that the patch gives for it. */
import type { JsonValue, Result } from '../../contract/index.js';
import { getOwn, isObject } from '../../objects/guards.js';
import { canonicalJson } from '../value/canonical-json.js';
import { DIRECTIVE } from './directives.js';
import { itemIdentity } from './element-order.js';
import { missingMergeKey, refuse } from './problems.js';

/** The failure, if the items that the patch sets are not all in `order`, in this sequence. */
export function setOrderProblem(
  patch: readonly JsonValue[],
  order: readonly JsonValue[],
  mergeKey: string | undefined,
): Result<never> | undefined {
  if (mergeKey !== undefined) {
    for (const item of order) {
      if (!isObject(item)) return refuse('an item of $setElementOrder is not a map');
      if (itemIdentity(item, mergeKey) === undefined) return missingMergeKey(item, mergeKey);
    }
  }
  const items = mergeKey === undefined ? patch : patch.filter((item) => !isDirected(item));
  let next = 0;
  for (const item of order) {
    const wanted = items[next];
    if (wanted !== undefined && itemIdentity(wanted, mergeKey) === itemIdentity(item, mergeKey)) next++;
  }
  return next < items.length ? refuse(mismatch(patch, order)) : undefined;
}

function isDirected(item: JsonValue): boolean {
  return isObject(item) && getOwn(item, DIRECTIVE) !== undefined;
}

function mismatch(patch: readonly JsonValue[], order: readonly JsonValue[]): string {
  const show = (list: readonly JsonValue[]): string => canonicalJson([...list]);
  return `The order in patch list:\n${show(patch)}\n doesn't match $setElementOrder list:\n${show(order)}\n`;
}
