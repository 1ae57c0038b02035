/**
 * Rewrites the relations of an older definition for the stored version of the newer one. Relations name fields of the
 * stored version, and another stored version may have these fields in other places.
 */
import type { ConversionStep, ObjectReference, Uniqueness } from '../../../runtime/contract/index.js';
import type { ResourceModel } from '../../model/model.js';

/** The relations of a resource, with places in the stored version of the newer definition. */
export interface MovedRelations {
  readonly references: readonly ObjectReference[];
  readonly unique: readonly Uniqueness[];
}

/**
 * Moves the relations of `old` to the stored version of `next`. A relation stays as written if steps do more than move
 * its fields. It also stays if it has a condition, because the fields of an expression are not moved.
 */
export function moveRelations(old: ResourceModel, next: ResourceModel): MovedRelations {
  const { references = [], unique = [] } = old;
  const before = old.versions.find(({ storage }) => storage)?.name;
  const version = next.versions.find(({ name }) => name === before);
  const { conversion } = version ?? {};
  if (version === undefined || version.storage || conversion === undefined || conversion.function !== undefined)
    return { references, unique };
  const steps = flattened(conversion.steps, '');
  const move = (place: string): string | undefined => placeInStored(place, steps);
  return {
    references: references.map((each) => {
      const { field, namespaceField } = each;
      const moved = move(field);
      if (moved === undefined) return each;
      if (namespaceField === undefined) return { ...each, field: moved };
      const beside = move(namespaceField);
      return beside === undefined ? each : { ...each, field: moved, namespaceField: beside };
    }),
    unique: unique.map((each) => {
      const fields = each.fields.map(move).filter((field) => field !== undefined);
      return each.when !== undefined || fields.length < each.fields.length ? each : { ...each, fields };
    }),
  };
}

/** A step with places from the root of the object. */
interface FlatStep {
  readonly places: readonly string[];
  /** Absent for a step that does more than move a value. */
  readonly move?: { readonly field: string; readonly stored: string };
}

/** Returns the steps to the stored version; the last step comes first. */
function flattened(steps: readonly ConversionStep[], below: string): readonly FlatStep[] {
  return steps.toReversed().flatMap((step): readonly FlatStep[] => {
    if ('within' in step) return flattened(step.within.steps, joined(below, step.within.path));
    const places = placesIn(step).map((place) => joined(below, place));
    if (!('move' in step) || step.move.type !== undefined || step.move.absent !== undefined) return [{ places }];
    return [{ places, move: { field: joined(below, step.move.field), stored: joined(below, step.move.stored) } }];
  });
}

/** Returns the place in the stored version, or `undefined` if steps do more than move the value. */
function placeInStored(place: string, steps: readonly FlatStep[]): string | undefined {
  let at = place;
  for (const { places, move } of steps) {
    if (move && isAtOrBelow(at, move.field)) at = move.stored + at.slice(move.field.length);
    else if (overlapsAny(at, places)) return undefined;
  }
  const others = steps.flatMap(({ places, move }) => (move ? [] : places));
  return overlapsAny(place, others) || overlapsAny(at, others) ? undefined : at;
}

/** Returns the texts of a step that may be places. Other texts, such as separators, do no harm. */
const placesIn = (step: ConversionStep): readonly string[] =>
  Object.values(step).flatMap((said: object) =>
    Object.values(said).flatMap((value: unknown) => (isList(value) ? value : [value]).filter(isText)),
  );

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string';

const joined = (below: string, place: string): string =>
  below === '' || place === '' || place.startsWith('[') ? below + place : `${below}.${place}`;

const isAtOrBelow = (place: string, other: string): boolean =>
  place === other || place.startsWith(`${other}.`) || place.startsWith(`${other}[`);

const overlapsAny = (place: string, others: readonly string[]): boolean =>
  others.some((other) => isAtOrBelow(place, other) || isAtOrBelow(other, place));
