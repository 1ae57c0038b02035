/** Laws of apply, on random configurations of a kind with all ways to merge. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extract } from '../../../../../client/extract.js';
import type { ApiObject, JsonObject, JsonValue, Result } from '../../../../../runtime/contract/index.js';
import {
  decodeFieldSet,
  difference,
  EMPTY,
  equalSets,
  type FieldSet,
  intersection,
  paths,
  union,
} from '../../../../../runtime/merge/field-set.js';
import { applyConfiguration } from '../../../../../runtime/merge/managed-fields/apply.js';
import { sharedPaths } from '../../../../../runtime/merge/managed-fields/conflicts.js';
import { updateManagedFields } from '../../../../../runtime/merge/managed-fields/update.js';
import { printPath } from '../../../../../runtime/merge/path-element.js';
import { compileTypedPlan } from '../../../../../runtime/merge/typed/compile.js';
import { compare, toFieldSet } from '../../../../../runtime/merge/typed/field-sets.js';
import { extractItems } from '../../../../../runtime/merge/typed/remove.js';
import { isObject } from '../../../../../runtime/objects/guards.js';
import { shape, shapes } from '../typed/shapes.js';

const plan = compileTypedPlan(shape, 'structural');
const now = '2024-01-01T00:00:00Z';
const context = { plan, apiVersion: 'g/v1', subresource: '', now };

function apply(
  live: ApiObject | undefined,
  configuration: JsonObject,
  manager: string,
  force = false,
): Result<ApiObject> {
  const applied = { apiVersion: 'g/v1', kind: 'Shape', metadata: { name: 'x' }, ...configuration };
  return applyConfiguration({ ...context, applied, manager, force, ...(live === undefined ? {} : { live }) });
}

function forced(live: ApiObject | undefined, configuration: JsonObject, manager: string): ApiObject {
  const result = apply(live, configuration, manager, true);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function updated(live: ApiObject, configuration: JsonObject, manager: string): ApiObject {
  const next: ApiObject = { ...live, ...configuration };
  const managedFields = updateManagedFields({ ...context, live, next, manager });
  return { ...next, metadata: { name: 'x', ...(managedFields === undefined ? {} : { managedFields }) } };
}

/** Returns the fields of a manager, in all its entries or in entries of one operation. */
function owned(object: ApiObject, manager: string, operation?: 'Apply' | 'Update'): FieldSet {
  const entries =
    object.metadata.managedFields?.filter(
      (entry) => entry.manager === manager && (operation ?? entry.operation) === entry.operation,
    ) ?? [];
  return entries.reduce((set, { fieldsV1 }) => union(set, decodeFieldSet(fieldsV1 ?? {})), EMPTY);
}

/** Sorts lists of items, because they show the order of writes. */
function unordered(value: JsonValue): JsonValue {
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unordered(inner ?? null)]));
  if (!Array.isArray(value)) return value;
  return value.map(unordered).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const withoutEntries = ({ metadata: _, ...rest }: ApiObject): JsonValue => unordered(rest);

/** Drops empty objects and lists: a merge may leave them out. */
function withoutEmpty(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).map(([key, inner]) => [key, withoutEmpty(inner ?? null)] as const);
  return Object.fromEntries(kept.filter(([, inner]) => inner !== null && JSON.stringify(inner).length > 2));
}

/** Makes an object with a history of applies and updates by several managers. */
const historiesOf = (configurations: fc.Arbitrary<JsonObject>): fc.Arbitrary<ApiObject> =>
  fc.array(fc.tuple(fc.constantFrom('a', 'b', 'u'), configurations), { minLength: 1, maxLength: 4 }).map((steps) => {
    let live: ApiObject | undefined;
    for (const [manager, configuration] of steps) {
      live = manager === 'u' && live ? updated(live, configuration, 'u') : forced(live, configuration, manager);
    }
    return live ?? { apiVersion: 'g/v1', kind: 'Shape', metadata: {} };
  });

const histories = historiesOf(shapes);

/** Configurations in which no value changes its JSON type, as it may without a schema. */
const described = shapes.map(({ spec }): JsonObject => {
  const { anything: _, ...rest } = isObject(spec) ? spec : {};
  return { spec: rest };
});

describe('apply', () => {
  it('of the same configuration twice changes nothing', () => {
    fc.assert(
      fc.property(histories, shapes, (live, configuration) => {
        const once = forced(live, configuration, 'me');
        const twice = apply(once, configuration, 'me');
        expect(twice).toEqual({ ok: true, value: once });
      }),
    );
  });

  it('gives the applier its configuration, and the object contains it', () => {
    fc.assert(
      fc.property(histories, shapes, (live, configuration) => {
        const object = forced(live, configuration, 'me');
        const said = toFieldSet(plan.root, configuration);
        expect(equalSets(owned(object, 'me'), said)).toBe(true);
        // Nothing in the configuration is changed or missing in the object.
        const { written, removed } = compare(plan.root, object, configuration);
        expect([...paths(intersection(said, written)), ...paths(intersection(said, union(EMPTY, removed)))]).toEqual(
          [],
        );
      }),
    );
  });

  it('does not depend on the order of managers that do not conflict', () => {
    fc.assert(
      fc.property(shapes, shapes, (first, second) => {
        const ab = apply(forced(undefined, first, 'a'), second, 'b');
        const ba = apply(forced(undefined, second, 'b'), first, 'a');
        expect(ab.ok).toBe(ba.ok);
        if (!ab.ok || !ba.ok) return;
        expect(withoutEntries(ab.value)).toEqual(withoutEntries(ba.value));
        for (const manager of ['a', 'b']) {
          expect(equalSets(owned(ab.value, manager), owned(ba.value, manager))).toBe(true);
        }
      }),
    );
  });

  it('with force takes exactly the fields that conflict', () => {
    fc.assert(
      fc.property(historiesOf(described), described, (live, configuration) => {
        const refused = apply(live, configuration, 'me');
        const object = forced(live, configuration, 'me');
        const causes = refused.ok ? [] : (refused.failure.details?.causes ?? []);
        for (const manager of ['a', 'b', 'u']) {
          // Each entry has its own path, and a manager may have one of each operation.
          const lost = (['Apply', 'Update'] as const).flatMap((operation) =>
            Array.from(
              sharedPaths(difference(owned(live, manager, operation), owned(object, manager, operation))),
              printPath,
            ),
          );
          const conflicting = causes.filter(({ message }) => message?.startsWith(`conflict with "${manager}"`));
          expect(new Set(conflicting.map(({ field = '' }) => field))).toEqual(new Set(lost));
        }
      }),
    );
  });

  it('never fails, and never changes its input, whatever the history', () => {
    fc.assert(
      fc.property(histories, shapes, (live, configuration) => {
        const before = structuredClone([live, configuration]);
        apply(live, configuration, 'me', true);
        expect([live, configuration]).toEqual(before);
      }),
    );
  });

  it('of an empty configuration releases everything that only the applier owned', () => {
    fc.assert(
      fc.property(shapes, shapes, (mine, theirs) => {
        const both = forced(forced(undefined, mine, 'me'), theirs, 'they');
        const alone = forced(undefined, theirs, 'they');
        expect(withoutEmpty(withoutEntries(forced(both, {}, 'me')))).toEqual(withoutEmpty(withoutEntries(alone)));
      }),
    );
  });
});

describe('extraction', () => {
  it("of an applier's fields returns its configuration", () => {
    // Removes empty lists of items, which are not returned, and sorts the others, which have the live order.
    const says = (value: JsonObject): JsonValue => unordered(withoutEmptyLists(value));
    fc.assert(
      fc.property(histories, shapes, (live, configuration) => {
        const object = forced(live, configuration, 'me');
        const extracted = extractItems(plan.root, object, owned(object, 'me'));
        const again = isObject(extracted) ? extracted : {};
        expect(equalSets(toFieldSet(plan.root, again), toFieldSet(plan.root, configuration))).toBe(true);
        if (!hasEmptyMaps(configuration)) expect(says(again)).toEqual(says(configuration));
      }),
    );
  });

  it('by the SDK, which knows no schema, does the same', () => {
    fc.assert(
      fc.property(histories, shapes, (live, configuration) => {
        const object = defaulted(forced(live, configuration, 'me'));
        const { creationTimestamp: _, ...meta } = object.metadata;
        const { apiVersion, kind, metadata, ...again } = extract<JsonObject>({ ...object, metadata: meta }, 'me');
        expect([apiVersion, kind, metadata]).toEqual(['g/v1', 'Shape', { name: 'x' }]);
        expect(equalSets(toFieldSet(plan.root, again), toFieldSet(plan.root, configuration))).toBe(true);
        expect(apply(object, again, 'me')).toEqual({ ok: true, value: object });
      }),
    );
  });
});

/** Returns the object in its stored form: with the default keys of items. */
function defaulted(object: ApiObject): ApiObject {
  const { spec } = object;
  if (!isObject(spec) || !Array.isArray(spec.ports)) return object;
  const ports = spec.ports.map((port) => (isObject(port) ? { protocol: 'TCP', ...port } : port));
  return { ...object, spec: { ...spec, ports } };
}

function withoutEmptyLists(value: JsonObject): JsonObject {
  const spec = isObject(value.spec) ? value.spec : {};
  const { set = [], ports = [], ...rest } = spec;
  const lists = [
    ['set', set],
    ['ports', ports],
  ].filter(([, list]) => Array.isArray(list) && list.length > 0);
  const kept = { ...rest, ...Object.fromEntries(lists) };
  return Object.keys(kept).length === 0 ? {} : { spec: kept };
}

/** Returns whether a value has empty objects, which are returned as null. */
function hasEmptyMaps(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(hasEmptyMaps);
  if (!isObject(value)) return false;
  const members = Object.values(value);
  return members.length === 0 || members.some((member) => member !== undefined && hasEmptyMaps(member));
}
