import { describe, expect, it } from 'vitest';
import { resource as drivers } from '../../../../generated/storage.platform.io/v1/csidrivers/resource.js';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { emulate } from '../../../../runtime/objects/release.js';
import { defineCSIDrivers } from '../../../../strategies/storage.platform.io/csidrivers.js';
import { objectOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';
import { suiteApi } from '../../../support/test-api.js';

const handlers = defineCSIDrivers();

const driver = (spec: JsonObject, generation?: number): ApiObject =>
  objectOf(handlers, { spec }, { name: 'driver.example.com', ...(generation === undefined ? {} : { generation }) });

/** Returns the generation after a change of the spec. */
function generationAfter(before: ApiObject, spec: JsonObject, by = handlers): number | undefined {
  const object = driver(spec);
  by.prepareForUpdate?.(object, before, contextOf());
  return object.metadata.generation;
}

describe('generation of a CSIDriver', () => {
  it.each([[{ requiresRepublish: true }], [{ seLinuxMount: true }], [{ tokenRequests: [{ audience: 'a' }] }]])(
    'counts a change of %j',
    (change) => {
      expect(generationAfter(driver({}), change)).toBe(1);
      expect(generationAfter(driver({}, 4), change)).toBe(5);
    },
  );

  it('does not count any other change', () => {
    expect(generationAfter(driver({ storageCapacity: false }), { storageCapacity: true })).toBeUndefined();
    expect(generationAfter(driver({ storageCapacity: false }, 4), { storageCapacity: true })).toBe(4);
  });

  it('counts every change of the spec from 1.29 on', () => {
    const counted = (['1.28', '1.29'] as const).map((version) =>
      generationAfter(driver({}, 4), { storageCapacity: true }, defineCSIDrivers(emulate(version))),
    );
    expect(counted).toEqual([4, 5]);
  });

  it("ignores the writer's value", () => {
    const object = driver({}, 40);
    handlers.prepareForUpdate?.(object, driver({}, 2), contextOf());
    expect(object.metadata.generation).toBe(2);
  });
});

describe('cells of a CSIDriver', () => {
  it.each([
    [{}, '<unset>', '<none>'],
    [{ tokenRequests: [], volumeLifecycleModes: [] }, '', '<none>'],
    [{ tokenRequests: [{ audience: '' }], volumeLifecycleModes: ['Ephemeral'] }, '', 'Ephemeral'],
    [
      { tokenRequests: [{ audience: 'a' }, { audience: '' }, { audience: 'c' }], volumeLifecycleModes: ['A', 'B'] },
      'a,,c',
      'A,B',
    ],
  ])('shows %j', (spec, audiences, modes) => {
    expect(handlers.columns?.TokenRequests?.(driver(spec), 0)).toBe(audiences);
    expect(handlers.columns?.Modes?.(driver(spec), 0)).toBe(modes);
  });
});

describe('the name of a CSIDriver', async () => {
  const api = await suiteApi([drivers], { handlers: [handlers] });

  const create = (metadata: JsonObject) =>
    api.send('POST', '/apis/storage.platform.io/v1/csidrivers?dryRun=All', { metadata, spec: {} });
  const form = 'a lowercase RFC 1123 subdomain must consist of';

  it.each(['Disk.Example.com', 'a', 'A', '0', 'a..b', 'A-.-9', 'd'.repeat(63)])('may be %s', async (name) => {
    expect((await create({ name })).code).toBe(201);
  });

  it.each([
    ['d'.repeat(64), 'must be no more than 63 characters'],
    ['a_b', form],
    ['-a', form],
    ['a.', form],
    ['a b', form],
    ['é', form],
  ])('may not be %s', async (name, problem) => {
    const answer = await create({ name });
    expect(answer.code).toBe(422);
    expect(answer.text).toContain(
      `metadata.name: Invalid value: ${JSON.stringify(name).replaceAll('"', '\\"')}: ${problem}`,
    );
  });

  it('may be generated from a prefix that ends with a dash', async () => {
    const made = await create({ generateName: 'Disk-' });
    expect(made.code).toBe(201);
    expect((await create({ generateName: '-' })).code).toBe(422);
  });
});

it('causes a warning about tokens without a place, when it first requests them, from 1.35 on', () => {
  const asking = driver({ tokenRequests: [{ audience: 'a' }] });
  const later = defineCSIDrivers(emulate('1.35'));
  expect(handlers.warn?.(asking, undefined)).toEqual([]);
  expect(later.warn?.(asking, undefined)).toEqual([expect.stringContaining('serviceAccountTokenInSecrets is unset')]);
  expect(later.warn?.(asking, asking)).toEqual([]);
  const placed = driver({ tokenRequests: [{ audience: 'a' }], serviceAccountTokenInSecrets: false });
  expect(later.warn?.(placed, undefined)).toEqual([]);
});
