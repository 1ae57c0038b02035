/** Levels share turns of a part of a millisecond each; flows and levels with less time so far go first. */
import { describe, expect, it } from 'vitest';
import type { Waiting } from '../../../../../runtime/access/flow-control/fair-queues.js';
import type { LevelSpec } from '../../../../../runtime/access/flow-control/level-spec.js';
import { PriorityLevel } from '../../../../../runtime/access/flow-control/priority-level.js';
import { SharedTurns } from '../../../../../runtime/access/flow-control/turns.js';

const spec: LevelSpec = {
  name: 'level',
  uid: '',
  isExempt: false,
  shares: 10,
  lendablePercent: 0,
  borrowingLimitPercent: undefined,
  queuing: { queues: 64, handSize: 4, lengthLimit: 50 },
};

function levelOf(seats: number, parts: Partial<LevelSpec> = {}): PriorityLevel {
  const level = new PriorityLevel({ ...spec, ...parts }, 0);
  level.setBounds({ nominal: seats, lower: seats, upper: seats });
  return level;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Makes requests that add their flow to `served` when they are executed, and then report some time as theirs. */
function world(ms = 0.15) {
  const served: string[] = [];
  const refused: string[] = [];
  const turns = new SharedTurns();
  const item = (flow: string, seats = 1, isGone = () => false): Waiting => ({
    attributes: { user: { name: flow, uid: '', groups: [], extra: {} }, verb: 'get', path: '/' },
    schema: 'schema',
    flow,
    seats,
    since: 0,
    isGone,
    execute: () => {
      served.push(flow);
      return ms;
    },
    refuse: (reason) => refused.push(`${flow} ${reason}`),
  });
  /** Starts a turn with these requests. */
  const turn = (level: PriorityLevel, ...items: Waiting[]): void => {
    turns.announce();
    turns.begin(items.length);
    for (const one of items) {
      turns.note(one.flow);
      if (typeof level.enqueue(one, turns.turn) === 'number') turns.wait(level);
    }
    turns.end();
  };
  return { served, refused, turns, item, turn };
}

const flood = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

describe('a flood', () => {
  it('does not hold up another user for more than a slice', async () => {
    const { served, item, turn } = world();
    const level = levelOf(100);
    turn(level, item('other'));
    turn(level, ...flood(40, () => item('flood')), item('other'));
    await nextTurn();
    expect(served.indexOf('other', 1)).toBeLessThan(6);
  });

  it('is served in the end, by turns with others', async () => {
    const { served, item, turn } = world();
    const level = levelOf(100);
    turn(level, ...flood(30, () => item('flood')), ...flood(5, () => item('other')));
    while (served.length < 35) await nextTurn();
    expect(served.lastIndexOf('other')).toBeLessThan(15);
  });

  it('of a single user is served without a break', () => {
    const { served, item, turn } = world();
    turn(levelOf(100), ...flood(20, () => item('alone')));
    expect(served.length).toBe(20);
  });

  it('in one level does not hold up another level', async () => {
    const { served, turns, item } = world();
    const [low, high] = [levelOf(100, { name: 'low' }), levelOf(100, { name: 'high' })];
    turns.announce();
    turns.begin(31);
    for (const one of flood(30, () => item('flood'))) {
      turns.note('flood');
      low.enqueue(one, turns.turn);
      turns.wait(low);
    }
    turns.note('other');
    high.enqueue(item('other'), turns.turn);
    turns.wait(high);
    turns.end();
    await nextTurn();
    expect(served.indexOf('other')).toBeLessThan(4);
  });
});

describe('requests of disconnected clients', () => {
  it('are skipped', async () => {
    const { served, refused, item, turn } = world();
    turn(
      levelOf(100),
      item('a', 1, () => true),
      item('b'),
    );
    await nextTurn();
    expect([served, refused]).toEqual([['b'], ['a cancelled']]);
  });
});

describe('a level', () => {
  it('lets no more requests wait than its queues hold', () => {
    const level = levelOf(1, { queuing: { queues: 1, handSize: 1, lengthLimit: 2 } });
    const { item } = world();
    level.seats = 1;
    expect([0, 1, 2].map(() => level.enqueue(item('a'), 1))).toEqual([0, 1, 'queue-full']);
  });

  it('that refuses accepts as many as it has seats', () => {
    const level = levelOf(2, { queuing: undefined });
    const { item } = world();
    expect([0, 1, 2].map(() => level.enqueue(item('a'), 1))).toEqual([0, 1, 'concurrency-limit']);
  });

  it('counts requests of one turn as if they were executed at the same time', () => {
    const level = levelOf(2);
    level.passed(1, 1);
    expect(level.hasRoom(1, 1)).toBe(true);
    level.passed(1, 1);
    expect(level.hasRoom(1, 1)).toBe(false);
    expect(level.hasRoom(1, 2)).toBe(true);
  });

  it('executes a request for more seats than it has when no other is executed', () => {
    const level = levelOf(2);
    expect(level.hasRoom(10, 1)).toBe(true);
    level.seats = 1;
    expect(level.hasRoom(10, 1)).toBe(false);
  });

  it('serves waiting requests after its settings change', async () => {
    const { served, item, turns } = world();
    const level = levelOf(1);
    level.enqueue(item('a'), 1);
    level.use({ ...spec, queuing: { queues: 2, handSize: 1, lengthLimit: 1 } });
    turns.wait(level);
    await nextTurn();
    expect(served).toEqual(['a']);
  });
});
