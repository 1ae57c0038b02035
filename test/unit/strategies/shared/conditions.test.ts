import { expect, it } from 'vitest';
import { conditionErrors } from '../../../../strategies/shared/conditions.js';

it('says of missing fields of conditions that they must be set, but not in later releases', () => {
  const errors = conditionErrors([{ type: 'Ready', status: 'True' }], 'status.conditions');
  expect(errors.map(({ field, message, later }) => [field, message, later])).toEqual([
    ['status.conditions[0].lastTransitionTime', 'Required value: must be set', 'Required value'],
    ['status.conditions[0].reason', 'Required value: must be set', 'Required value'],
  ]);
});
