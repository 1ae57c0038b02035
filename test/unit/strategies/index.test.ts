/** The list of the handlers of built-in kinds. */
import { expect, it } from 'vitest';
import { registry } from '../../../generated/registry.js';
import { platformNaming } from '../../../runtime/objects/naming.js';
import { kindHandlers } from '../../../strategies/index.js';

const resources = kindHandlers(platformNaming).map(({ resource }) => resource);

it('has one entry for a kind', () => {
  expect(new Set(resources).size).toBe(resources.length);
});

it('belongs to the kinds of the registry', () => {
  expect(resources.filter((resource) => !registry.includes(resource))).toEqual([]);
});
