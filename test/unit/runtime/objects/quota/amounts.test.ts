/** Sums of amounts by resource. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../runtime/contract/index.js';
import {
  type Amounts,
  addAmounts,
  amountsAt,
  amountsBeyond,
  amountsOf,
  largerAmounts,
} from '../../../../../runtime/objects/quota/amounts.js';
import { formatQuantity } from '../../../../../runtime/objects/scan/quantity.js';

const amounts = (all: JsonObject): Amounts => amountsAt({ all }, 'all');
const shown = (all: Amounts) => Object.fromEntries([...all].map(([name, amount]) => [name, formatQuantity(amount)]));

describe('amounts', () => {
  it('are sorted by name, without values that are not quantities', () => {
    expect([...amounts({ pods: '2', cpu: '100m', memory: 'much', count: 3 })].map(([name]) => name)).toEqual([
      'cpu',
      'pods',
    ]);
    expect(amountsAt(undefined, 'all').size).toBe(0);
  });

  it('are added, or the larger one of each is taken', () => {
    const [a, b] = [amounts({ cpu: '1', memory: '1Gi' }), amounts({ cpu: '500m', pods: '1' })];
    expect(shown(addAmounts(a, b))).toEqual({ cpu: '1500m', memory: '1Gi', pods: '1' });
    expect(shown(largerAmounts(a, b))).toEqual({ cpu: '1', memory: '1Gi', pods: '1' });
    expect(shown(largerAmounts(b, a))).toEqual({ cpu: '1', memory: '1Gi', pods: '1' });
  });

  it('are compared by their growth', () => {
    const [a, b] = [amounts({ cpu: '1', memory: '1Gi', pods: '3' }), amounts({ cpu: '2', memory: '1Gi', pods: '1' })];
    expect(shown(amountsBeyond(a, b))).toEqual({ pods: '2' });
    expect(shown(amountsBeyond(a, amounts({})))).toEqual(shown(a));
  });

  it('are chosen by name', () => {
    expect(shown(amountsOf(amounts({ cpu: '1', pods: '3' }), (name) => name === 'pods'))).toEqual({ pods: '3' });
  });
});
