/** The order of releases. */
import { describe, expect, it } from 'vitest';
import {
  type BehaviourLife,
  behaviours,
  kindBehaviours,
  serverBehaviours,
} from '../../../../runtime/objects/behaviours.js';
import { podBehaviours } from '../../../../runtime/objects/pod-behaviours.js';
import { compareReleases, emulate, isReached, releases } from '../../../../runtime/objects/release.js';

it.each([
  ['1.9', '1.22', -1],
  ['1.22', '1.22', 0],
  ['2.0', '1.99', 1],
  ['1.100000', '2.0', -1],
  ['x', '0.0', 0],
])('%s and %s', (a, b, order) => {
  expect(Math.sign(compareReleases(a, b))).toBe(order);
});

it('has reached earlier releases and itself, but no unknown ones', () => {
  expect([isReached('1.26', '1.27'), isReached('1.27', '1.27'), isReached('1.28', '1.27')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(isReached(undefined, '1.27')).toBe(false);
});

describe('the release of a server', () => {
  it('is the specified one with the latest machinery by default', () => {
    const later = { introduced: '1.30' };
    expect(emulate()).toMatchObject({ name: '1.27', machinery: '1.36' });
    expect([emulate().has(later), emulate().has(later, 'machinery')]).toEqual([false, true]);
    expect(emulate('1.27').has(later, 'machinery')).toBe(false);
    expect(emulate('latest')).toMatchObject({ name: '1.36', machinery: '1.36' });
  });

  it('lacks the removed kinds, and keeps the machinery until its end', () => {
    const gone = { introduced: '1.26', removed: '1.30' };
    expect([emulate('1.29').has(gone), emulate('1.30').has(gone)]).toEqual([true, false]);
    expect(emulate().has(gone, 'machinery')).toBe(true);
  });

  it('is the same each time', () => expect(emulate('1.30')).toBe(emulate('1.30')));

  it('behaves like its releases, from the first one on', () => {
    expect(releases.filter((release) => emulate(release).does('laterExpressions'))).toEqual(releases.slice(1));
    expect(emulate().does('laterExpressions')).toBe(true);
  });

  it('has one row for each behaviour', () => {
    const rows = [kindBehaviours, podBehaviours, serverBehaviours].flatMap((table) => Object.keys(table));
    expect(rows.toSorted()).toEqual(Object.keys(behaviours).toSorted());
  });

  it.each(Object.values<BehaviourLife>(behaviours))('knows the release of: $about', ({ introduced }) =>
    expect(releases.slice(1)).toContain(introduced),
  );
});
