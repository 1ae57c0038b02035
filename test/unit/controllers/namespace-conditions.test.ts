/** The conditions of a namespace that is deleted, by what is left in it. */
import { expect, it } from 'vitest';
import { conditionsOf, isEmpty } from '../../../../controllers/namespace/conditions.js';

const nothing = { undiscovered: [], malformed: [], errors: [], objects: new Map(), finalizers: new Map() };
const [early, late] = ['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z'];

it('are false where nothing is left', () => {
  expect(isEmpty(nothing)).toBe(true);
  expect(conditionsOf(nothing, [], early).map(({ status, reason, message }) => [status, reason, message])).toEqual([
    ['False', 'ResourcesDiscovered', 'All resources successfully discovered'],
    ['False', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
    ['False', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
    ['False', 'ContentRemoved', 'All content successfully removed'],
    ['False', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
  ]);
});

it('keep the time of their last change as long as the status is the same', () => {
  const before = conditionsOf({ ...nothing, objects: new Map([['pods.', 2]]) }, [], early);
  const after = conditionsOf({ ...nothing, objects: new Map([['pods.', 1]]) }, before, late);
  expect(after[3]).toMatchObject({ lastTransitionTime: early, message: expect.stringContaining('pods. has 1 ') });
  expect(conditionsOf(nothing, after, late)[3]).toMatchObject({ status: 'False', lastTransitionTime: late });
});

it('leave alone those of others', () => {
  const other = { type: 'Other', status: 'True' };
  expect(conditionsOf(nothing, [other], early)).toContainEqual(other);
});

it('tell a group version that makes no sense', () => {
  const malformed = { ...nothing, malformed: ['a/b/c'] };
  expect(isEmpty(malformed)).toBe(false);
  expect(conditionsOf(malformed, [], early)[1]).toMatchObject({
    status: 'True',
    reason: 'GroupVersionParsingFailed',
    message: 'unexpected GroupVersion string: a/b/c',
  });
});
