/** CSIStorageCapacity: its class, its place and its amount. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../runtime/contract/index.js';
import { defineCSIStorageCapacityStrategy } from '../../../strategies/csi-storage-capacity.js';
import { errorsOf, objectOf } from '../../support/field-errors.js';
import { testStrategy } from '../../support/strategy-suite.js';

const strategy = defineCSIStorageCapacityStrategy();
const capacity = (rest: JsonObject) => objectOf('CSIStorageCapacity', { storageClassName: 'fast', ...rest });

testStrategy({
  strategy,
  stored: capacity({ capacity: '1Gi', nodeTopology: { matchLabels: { zone: 'a' } } }),
  words: ['capacity', 'storageClassName', 'nodeTopology', 'matchLabels'],
  columns: ['Created At'],
});

describe('a storage capacity', () => {
  it.each([
    [{ capacity: '-1Gi' }, 'capacity: Invalid value: "-1Gi": must be greater than or equal to 0'],
    [{ storageClassName: '' }, 'storageClassName: Invalid value: ""'],
    [{ nodeTopology: { matchExpressions: [{ key: 'a', operator: 'In' }] } }, 'nodeTopology.matchExpressions[0].values'],
  ])('is refused with %j', (rest, start) => {
    expect(errorsOf(strategy, capacity(rest))[0]).toContain(start);
  });
});
