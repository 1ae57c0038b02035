/** Flows get hands of queues: always the same, all different, and seldom shared. */
import { expect, it } from 'vitest';
import { dealHand } from '../../../../../runtime/access/flow-control/priority-level.js';

const flows = Array.from({ length: 200 }, (_, i) => `global-default\0user-${i}`);

it.each([
  [128, 6],
  [64, 8],
  [3, 3],
  [1, 1],
])('each hand from %i queues has %i different ones', (queues, handSize) => {
  for (const flow of flows) {
    const hand = dealHand(flow, queues, handSize);
    expect(new Set(hand).size).toBe(handSize);
    expect(hand.every((queue) => queue >= 0 && queue < queues)).toBe(true);
    expect(dealHand(flow, queues, handSize)).toEqual(hand);
  }
});

it('every queue is in about as many hands as any other', () => {
  const dealt = new Map<number, number>();
  for (const flow of flows) for (const queue of dealHand(flow, 16, 4)) dealt.set(queue, (dealt.get(queue) ?? 0) + 1);
  expect(dealt.size).toBe(16);
  for (const times of dealt.values()) expect(Math.abs(times - 50)).toBeLessThan(30);
});

it('no flow shares all of its queues with a flood', () => {
  const flood = new Set(dealHand('flood', 128, 6));
  const inside = flows.filter((flow) => dealHand(flow, 128, 6).every((queue) => flood.has(queue)));
  expect(inside).toEqual([]);
});
