/** Tolerations of two sources: none that another covers. */
import { expect, it } from 'vitest';
import { mergeTolerations } from '../../../../../plugins/admission/pods/merge-tolerations.js';

const all = { operator: 'Exists' };
const exists = { key: 'k', operator: 'Exists' };
const equals = { key: 'k', operator: 'Equal', value: 'v' };
const stays = { key: 'k', operator: 'Exists', effect: 'NoExecute' };
const leaves = { ...stays, tolerationSeconds: 10 };

it.each([
  ['both where neither covers the other', [equals], [{ key: 'x' }], [equals, { key: 'x' }]],
  ['one of two that are the same', [exists], [{ ...exists }], [exists]],
  ['the wider one, which comes first', [exists], [equals], [exists]],
  ['the wider one, which comes last', [equals], [exists], [exists]],
  ['the one that is about all taints', [equals, stays], [all], [all]],
  [
    'the one that lasts longer',
    [leaves],
    [{ ...leaves, tolerationSeconds: 20 }],
    [{ ...leaves, tolerationSeconds: 20 }],
  ],
  ['the one that lasts for ever', [leaves], [stays], [stays]],
  ['the one with any effect', [{ ...equals, effect: 'NoSchedule' }], [equals], [equals]],
  ['both effects', [{ ...exists, effect: 'NoSchedule' }], [stays], [{ ...exists, effect: 'NoSchedule' }, stays]],
  ['both values', [equals], [{ ...equals, value: 'w' }], [equals, { ...equals, value: 'w' }]],
  ['the one about any value, though the other says no operator', [exists], [{ key: 'k', value: 'v' }], [exists]],
  [
    'the one without an operator, which covers the other',
    [equals],
    [{ key: 'k', value: 'v' }],
    [{ key: 'k', value: 'v' }],
  ],
  [
    'both where one without a key is about one value',
    [{ operator: 'Equal' }],
    [equals],
    [{ operator: 'Equal' }, equals],
  ],
  ['what there is', undefined, [equals], [equals]],
])('keep %s', (_, first, second, merged) => {
  expect(mergeTolerations(first, second)).toEqual(merged);
});
