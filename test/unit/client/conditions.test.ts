import { expect, it } from 'vitest';
import { type ApiObjectLike, setCondition } from '../../../client/index.js';
import { FakeClock } from '../../support/fake-clock.js';

interface Condition {
  type: 'Ready' | 'Stalled';
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}

interface Project extends ApiObjectLike {
  status?: { conditions?: Condition[] };
}

const project = (generation: number | undefined, conditions?: Condition[]): Project => ({
  apiVersion: 'example.com/v1',
  kind: 'Project',
  metadata: generation === undefined ? {} : { generation },
  ...(conditions && { status: { conditions } }),
});

const ready = { type: 'Ready', status: 'True', reason: 'Made', message: 'all made' } as const;
const clock = new FakeClock(Date.UTC(2026, 4, 1, 12, 0, 0, 500));

it('adds a condition with its time and the generation, and does not change the object', () => {
  const before = project(3);
  const set: Condition[] = setCondition(before, ready, clock);
  expect(set).toEqual([{ ...ready, lastTransitionTime: '2026-05-01T12:00:00Z', observedGeneration: 3 }]);
  expect(before).toEqual(project(3));
});

it('keeps the time while the status stays, and the place in the list', () => {
  const since = '2020-01-01T00:00:00Z';
  const stalled: Condition = { ...ready, type: 'Stalled', lastTransitionTime: since };
  const known = [{ ...ready, lastTransitionTime: since, observedGeneration: 1 }, stalled];
  const same = setCondition(project(4, known), { ...ready, reason: 'StillMade' }, clock);
  expect(same).toEqual([{ ...ready, reason: 'StillMade', lastTransitionTime: since, observedGeneration: 4 }, stalled]);
  const changed = setCondition(project(4, known), { ...ready, status: 'False' }, clock);
  expect(changed[0]).toMatchObject({ status: 'False', lastTransitionTime: '2026-05-01T12:00:00Z' });
  expect(changed[1]).toBe(stalled);
});

it('has no generation for a kind without one', () => {
  expect(setCondition(project(undefined), ready, clock)[0]).not.toHaveProperty('observedGeneration');
});
