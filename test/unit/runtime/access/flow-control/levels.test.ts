/** Levels get seats by their shares, and lend them every ten seconds. */
import { expect, it } from 'vitest';
import type { FlowObserver, LevelFigures } from '../../../../../runtime/access/flow-control/flow-observer.js';
import type { LevelSpec } from '../../../../../runtime/access/flow-control/level-spec.js';
import { Levels } from '../../../../../runtime/access/flow-control/levels.js';

const specOf = (name: string, shares: number, parts: Partial<LevelSpec> = {}): LevelSpec => ({
  name,
  uid: '',
  isExempt: false,
  shares,
  lendablePercent: 50,
  borrowingLimitPercent: undefined,
  queuing: undefined,
  ...parts,
});

function world() {
  const figures = new Map<string, LevelFigures>();
  const observer: FlowObserver = {
    counts: () => {
      throw new Error('nobody asks for counts');
    },
    adjusted: (level, known) => figures.set(level, known),
    allotted: () => {},
    forgotten: (level) => figures.delete(level),
  };
  return { levels: new Levels(100, observer, () => 0), figures };
}

const limitsOf = (levels: Levels) => [...levels.all].map(({ spec, limit }) => [spec.name, limit]);

it('seats follow shares whenever a level appears, changes or disappears', () => {
  const { levels, figures } = world();
  levels.use(specOf('a', 10));
  expect(limitsOf(levels)).toEqual([['a', 100]]);
  levels.use(specOf('b', 30));
  expect(limitsOf(levels)).toEqual([
    ['a', 25],
    ['b', 75],
  ]);
  levels.use(specOf('b', 10));
  expect(figures.get('b')).toMatchObject({ nominal: 50, lower: 25, limit: 50 });
  levels.use(specOf('exempt', 0, { isExempt: true }));
  levels.remove('a');
  expect([...figures.keys()]).toEqual(['b']);
  expect(levels.find('b')?.limit).toBe(100);
});

it('a busy level borrows from an idle one, and gives back', () => {
  const { levels } = world();
  levels.use(specOf('busy', 10));
  levels.use(specOf('idle', 10));
  const [busy, idle] = ['busy', 'idle'].map((name) => levels.find(name));
  busy?.demand.set(90, 0);
  levels.adjustIfDue(9999);
  expect(busy?.limit).toBe(50);
  levels.adjustIfDue(10_000);
  expect([busy?.limit, idle?.limit]).toEqual([75, 25]);
  busy?.demand.set(0, 10_000);
  idle?.demand.set(50, 10_000);
  levels.adjustIfDue(20_000);
  expect(idle?.limit).toBeGreaterThanOrEqual(50);
});

it('a level that lends nothing keeps all its seats', () => {
  const { levels } = world();
  levels.use(specOf('busy', 10));
  levels.use(specOf('own', 10, { lendablePercent: 0 }));
  levels.find('busy')?.demand.set(90, 0);
  levels.adjustIfDue(10_000);
  expect(levels.find('own')?.limit).toBe(50);
});

it('a level never borrows more than its limit', () => {
  const { levels } = world();
  levels.use(specOf('busy', 10, { borrowingLimitPercent: 10 }));
  levels.use(specOf('idle', 10));
  levels.find('busy')?.demand.set(90, 0);
  levels.adjustIfDue(10_000);
  expect(levels.find('busy')?.limit).toBe(55);
});
