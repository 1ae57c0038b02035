/** Fields thousands of levels down are merged, compared and owned like fields at the top. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue, Schema } from '../../../../runtime/contract/index.js';
import {
  decodeFieldSet,
  difference,
  EMPTY,
  encodeFieldSet,
  encodeInSteps,
  equalSets,
  type FieldSet,
  fieldSet,
  intersection,
  parseFieldSet,
  recursiveDifference,
  union,
} from '../../../../runtime/merge/field-set.js';
import { applyMergePatch, compileTypedPlan } from '../../../../runtime/merge/index.js';
import { conflictFailure } from '../../../../runtime/merge/managed-fields/conflicts.js';
import { canonicalJson } from '../../../../runtime/merge/order.js';
import { applyStrategicPatch } from '../../../../runtime/merge/patch/strategic-patch.js';
import { DEDUCED } from '../../../../runtime/merge/type-plan.js';
import { compare, everyPath, toFieldSet } from '../../../../runtime/merge/typed/field-sets.js';
import { mergeValues } from '../../../../runtime/merge/typed/merge.js';
import { removeItems } from '../../../../runtime/merge/typed/remove.js';
import { findTypeProblems } from '../../../../runtime/merge/typed/validate.js';
import { clone } from '../../../../runtime/objects/clone.js';
import { equal } from '../../../../runtime/objects/equality.js';
import { finish } from '../../../../runtime/objects/turns.js';

const schema: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const { root } = compileTypedPlan(schema, 'structural');

/** Nests a value, with a number beside it on every seventh level. */
function down(levels: number, value: JsonValue): JsonObject {
  let whole: JsonObject = { s: value };
  for (let level = 1; level < levels; level++) whole = level % 7 === 0 ? { b: level, s: whole } : { s: whole };
  return whole;
}

/** Returns the part of a value that `down` has nested. */
function up(levels: number, value: JsonValue): JsonValue | undefined {
  let part: JsonValue | undefined = value;
  for (let level = 0; level < levels; level++) {
    part = typeof part === 'object' && part !== null && !Array.isArray(part) ? part.s : undefined;
  }
  return part;
}

/** Returns the part of a set at the same depth. */
function setUp(levels: number, set: FieldSet): FieldSet {
  let part: FieldSet | undefined = set;
  for (let level = 0; level < levels; level++) part = part?.children.get('f:s');
  return fieldSet(false, part?.children);
}

const members = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.oneof(fc.constantFrom<JsonValue>(1, 'x', null, [1], {}, { d: 1 }), fc.constant<JsonValue>({ e: { f: [] } })),
  { noNullPrototype: true },
);
const levels = fc.constantFrom(150, 199, 200, 201, 399, 401, 9_000);
const runs = { numRuns: 60 };

describe('far down', () => {
  it('values are copied, compared and written as at the top', () => {
    fc.assert(
      fc.property(members, members, levels, (a, b, depth) => {
        const copy = clone(down(depth, a));
        expect(up(depth, copy)).toEqual(a);
        expect(equal(copy, down(depth, a))).toBe(true);
        expect(equal(copy, down(depth, b))).toBe(equal(a, b));
        expect(canonicalJson(copy) === canonicalJson(down(depth, b))).toBe(canonicalJson(a) === canonicalJson(b));
      }),
      runs,
    );
  });

  it('patches and configurations are merged as at the top', () => {
    fc.assert(
      fc.property(members, members, levels, (live, patch, depth) => {
        const whole = down(depth, live);
        expect(up(depth, applyMergePatch(whole, down(depth, patch)))).toEqual(applyMergePatch(live, patch));
        const strategic = applyStrategicPatch(whole, down(depth, patch), undefined);
        const plain = applyStrategicPatch(live, patch, undefined);
        expect(strategic.ok && plain.ok && up(depth, strategic.value)).toEqual(plain.ok && plain.value);
        const merged = mergeValues(DEDUCED, whole, down(depth, patch));
        expect(up(depth, merged)).toEqual(mergeValues(DEDUCED, live, patch));
        expect(mergeValues(DEDUCED, whole, clone(whole))).toBe(whole);
        expect(findTypeProblems(root, whole)).toEqual([]);
      }),
      runs,
    );
  });

  it('changes are found, and parts taken out, as at the top', () => {
    fc.assert(
      fc.property(members, members, levels, (old, next, depth) => {
        const whole = compare(root, down(depth, old), down(depth, next));
        const plain = compare(root, { s: old }, { s: next });
        for (const side of ['written', 'removed'] as const) {
          expect(setUp(depth, whole[side])).toEqual(setUp(1, plain[side]));
        }
        const owned = toFieldSet(root, down(depth, next));
        expect(setUp(depth, owned)).toEqual(setUp(1, toFieldSet(root, { s: next })));
        expect(setUp(depth, everyPath(root, down(depth, next)))).toEqual(setUp(1, everyPath(root, { s: next })));
        const left = removeItems(DEDUCED, down(depth, old), fieldSet(false, whole.removed.children));
        const plainLeft = removeItems(DEDUCED, { s: old }, plain.removed);
        if (up(1, plainLeft) !== null) expect(up(depth, left)).toEqual(up(1, plainLeft));
      }),
      runs,
    );
  });

  it('sets of paths are joined, taken apart and written as at the top', () => {
    fc.assert(
      fc.property(members, members, levels, (one, other, depth) => {
        const setsOf = (value: JsonObject, far: number): FieldSet => toFieldSet(root, down(far, value));
        const [a, b, c, d] = [setsOf(one, depth), setsOf(other, depth), setsOf(one, 1), setsOf(other, 1)];
        for (const operation of [union, intersection, difference, recursiveDifference]) {
          // Both own the paths to the fields, so these are gone if one side removes all of the other's.
          const [far, near] = [setUp(depth, operation(a, b)), setUp(1, operation(c, d))];
          if (operation !== recursiveDifference) expect(equalSets(far, near)).toBe(true);
          else expect(equalSets(operation(a, b), EMPTY)).toBe(equalSets(operation(c, d), EMPTY));
        }
        expect(equalSets(a, b)).toBe(equalSets(c, d));
        const written = encodeFieldSet(a);
        expect(equal(finish(encodeInSteps(a)), written)).toBe(true);
        expect(equalSets(decodeFieldSet(written), a)).toBe(true);
        expect(equalSets(parseFieldSet(written) ?? EMPTY, a)).toBe(true);
      }),
      runs,
    );
  });

  it('conflicts are named as far as there is room', () => {
    const wide = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`k${i}`, 1]));
    const fields = toFieldSet(root, down(9_000, wide));
    const record = { manager: 'm', operation: 'Apply', apiVersion: 'v1', subresource: '', fields } as const;
    const { message, details } = conflictFailure(new Map([['m', fields]]), new Map([['m', record]]));
    expect(message).toMatch(/^Apply failed with 11185 conflicts/);
    expect(message.length).toBeLessThan(2 ** 21);
    expect(message).toContain(`and ${11_185 - (details?.causes?.length ?? 0)} more`);
  });
});
