/** Deals queues to flows, so that two flows seldom share all of theirs. */
import { createHash } from 'node:crypto';

/**
 * A hand of different queues for a flow, `handSize` of `queues`. The same flow always gets the same
 * hand: each card is drawn from those that are left, by what is left of a hash of 64 bits.
 */
export function dealHand(flow: string, queues: number, handSize: number): readonly number[] {
  let left = createHash('sha256').update(flow).digest().readBigUInt64LE();
  const hand: number[] = [];
  for (let dealt = 0; dealt < Math.min(handSize, queues); dealt++) {
    const cards = BigInt(queues - dealt);
    hand.push(cardAmongThoseLeft(Number(left % cards), hand));
    left /= cards;
  }
  return hand;
}

/** The card at a place among those that have not been dealt. */
function cardAmongThoseLeft(place: number, hand: readonly number[]): number {
  let card = place;
  for (const dealt of [...hand].sort((a, b) => a - b)) {
    if (card >= dealt) card++;
  }
  return card;
}
