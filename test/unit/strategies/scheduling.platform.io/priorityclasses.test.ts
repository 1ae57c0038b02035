import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { definePriorityClasses } from '../../../../strategies/scheduling.platform.io/priorityclasses.js';
import { objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';

const handlers = definePriorityClasses();
const priority = (name: string, body: JsonObject): ApiObject =>
  objectOf(handlers, { preemptionPolicy: 'Never', ...body }, { name, generation: 1 });

describe('a new class', () => {
  const reserved = "Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: ";
  it.each([
    ['high', { value: 1_000_000_000 }, []],
    ['high', { value: 1_000_000_001 }, ['Forbidden: maximum allowed value of a user defined priority is 1000000000']],
    ['low', { value: -5 }, []],
    ['system-mine', { value: 1 }, [`${reserved}system-mine is not a known system priority class`]],
    ['system-node-critical', { value: 2_000_001_000 }, []],
    [
      'system-node-critical',
      { value: 1 },
      [`${reserved}value of system-node-critical PriorityClass must be 2000001000`],
    ],
    [
      'system-cluster-critical',
      { value: 2_000_000_000, globalDefault: true },
      [`${reserved}globalDefault of system-cluster-critical PriorityClass must be false`],
    ],
  ])('%s %j', (name, body, expected) => {
    const found = handlers.validateCreate?.(priority(name, body), contextOf()) ?? [];
    expect(found.map(({ message }) => message)).toEqual(expected);
  });
});

it('keeps value and policy', () => {
  const changed = priority('high', { value: 11, preemptionPolicy: 'PreemptLowerPriority' });
  expect(handlers.validateUpdate?.(changed, priority('high', { value: 10 }), contextOf())).toMatchObject([
    { field: 'value', message: 'Forbidden: may not be changed in an update.' },
    { field: 'preemptionPolicy', message: 'Invalid value: "PreemptLowerPriority": field is immutable' },
  ]);
});
