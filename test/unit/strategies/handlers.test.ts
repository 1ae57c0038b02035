import { describe, expect, it } from 'vitest';
import { registry } from '../../../generated/registry.js';
import { platformNaming } from '../../../runtime/objects/names/naming.js';
import { kindHandlers } from '../../../strategies/index.js';
import { testHandlers } from '../../support/handlers-suite.js';
import { storedObject } from '../../support/stored-objects.js';

const all = kindHandlers(platformNaming);

describe.each(all)('$resource.names.kind of $resource.group', (handlers) => {
  testHandlers({ handlers, stored: storedObject(handlers) });
});

it('lists the handlers of each kind once, and only of registered kinds', () => {
  const resources = all.map(({ resource }) => resource);
  expect(new Set(resources).size).toBe(resources.length);
  expect(resources.filter((resource) => !registry.includes(resource))).toEqual([]);
});
