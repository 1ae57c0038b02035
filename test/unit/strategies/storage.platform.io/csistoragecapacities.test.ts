import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { defineCSIStorageCapacities } from '../../../../strategies/storage.platform.io/csistoragecapacities.js';
import { errorsOf, objectOf } from '../../../support/field-errors.js';

const handlers = defineCSIStorageCapacities(platformNaming);

const capacity = (fields: JsonObject = {}): ApiObject =>
  objectOf(handlers, { storageClassName: 'fast', ...fields }, { name: 'c1', namespace: 'default' });

describe('a CSIStorageCapacity', () => {
  it.each<[string, JsonObject, string[]]>([
    ['less than no room', { capacity: '-1' }, ['capacity: Invalid value: "-1": must be greater than or equal to 0']],
    [
      'operators that there are not',
      { nodeTopology: { matchExpressions: [{ key: 'a', operator: 'Near', values: ['b'] }] } },
      ['nodeTopology.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator'],
    ],
  ])('refuses %s', (_what, fields, errors) => expect(errorsOf(handlers, capacity(fields))).toEqual(errors));

  it('causes warnings about labels with newer names', () => {
    const label = 'beta.platform.io/os';
    const nodeTopology = { matchLabels: { [label]: 'a' }, matchExpressions: [{ key: label, operator: 'Exists' }] };
    expect(handlers.warn?.(capacity({ nodeTopology }), undefined)).toEqual([
      `nodeTopology.matchExpressions[0].key: ${label} is deprecated since v1.14; use "platform.io/os" instead`,
      `nodeTopology.matchLabels.${label}: deprecated since v1.14; use "platform.io/os" instead`,
    ]);
  });
});
