/**
 * Reverses conversions when the stored version changes. Conversions are written against a base version, which has none.
 * If another version is stored, its conversion is reversed for the base version, and put before the conversions of the
 * others.
 */
import type { ConversionStep } from '../../runtime/contract/index.js';
import type { ConversionModel, VersionModel } from './model.js';

/** Returns versions with conversions to the stored one, however they are written. */
export function convertedToStored(versions: readonly VersionModel[]): readonly VersionModel[] {
  const stored = versions.find(({ storage }) => storage);
  const [written, ...others] = versions.filter(({ conversion }) => conversion === undefined);
  if (!stored?.conversion || !written || others.length > 0) return versions;
  const turned = turnConversion(stored.conversion);
  if (turned === undefined) return versions;
  return versions.map((version): VersionModel => {
    const { conversion, ...rest } = version;
    if (conversion === undefined) return { ...rest, conversion: turned, written: {} };
    const own = { ...rest, written: { conversion, to: written.name } };
    return version === stored ? own : { ...own, conversion: afterEachOther(turned, conversion) };
  });
}

/** Returns the name of the version that conversions are written for: the version without one, or the stored version. */
export const baseOf = (versions: readonly VersionModel[]): string | undefined =>
  versions.find(({ written, storage }) => (written ? written.conversion === undefined : storage))?.name;

/** Returns versions with conversions to another base, if they can be reversed, so that both can be compared. */
export function convertedTo(base: string | undefined, versions: readonly VersionModel[]): readonly VersionModel[] {
  const asWritten = versions.map(({ conversion, written, ...rest }): VersionModel => {
    const own = written ? written.conversion : conversion;
    return { ...rest, storage: rest.name === base, ...(own ? { conversion: own } : {}) };
  });
  return convertedToStored(asWritten);
}

/** Returns the first step that cannot be reversed. */
export function unturnable(steps: readonly ConversionStep[]): ConversionStep | undefined {
  return steps.find((step) => turnStep(step) === undefined);
}

function turnConversion({ steps, oneOf, lost, function: code }: ConversionModel): ConversionModel | undefined {
  const turned = turnSteps(steps);
  if (turned === undefined || code !== undefined) return undefined;
  return { steps: turned, oneOf: oneOf.map(turnSide), lost: lost.map(turnSide) };
}

type Side = 'this' | 'stored';

const turnSide = <T extends { readonly of: Side }>(one: T): T => ({
  ...one,
  of: one.of === 'this' ? 'stored' : 'this',
});

/** Returns a conversion through an intermediate version. Drops the `oneOf` groups of that version. */
function afterEachOther(first: ConversionModel, second: ConversionModel): ConversionModel {
  const of = (side: Side) => (one: { readonly of: Side }) => one.of === side;
  return {
    ...second,
    steps: [...first.steps, ...second.steps],
    oneOf: [...first.oneOf.filter(of('stored')), ...second.oneOf.filter(of('this'))],
    // Keeps losses of the intermediate version, because fields at the same path are lost too.
    lost: [...first.lost, ...second.lost],
  };
}

/** Returns the steps of the way back; the last step comes first. */
function turnSteps(steps: readonly ConversionStep[]): readonly ConversionStep[] | undefined {
  const turned = steps.toReversed().map(turnStep);
  return turned.every((step) => step !== undefined) ? turned : undefined;
}

/** Returns a step of the other version; `undefined` if no step does the same in reverse. */
function turnStep(step: ConversionStep): ConversionStep | undefined {
  if ('move' in step) {
    const { field, stored, type, absent, introduced } = step.move;
    const since = introduced === undefined ? {} : { introduced };
    return type === undefined && absent === undefined
      ? { move: { field: stored, stored: field, ...since } }
      : undefined;
  }
  if ('split' in step) {
    const { field, stored, separator } = step.split;
    return { join: { fields: stored, stored: field, separator } };
  }
  if ('join' in step) {
    const { fields, stored, separator } = step.join;
    return { split: { field: stored, stored: fields, separator } };
  }
  if ('wrap' in step) {
    const { field, stored, list = 'stored' } = step.wrap;
    return { wrap: { ...step.wrap, field: stored, stored: field, list: list === 'stored' ? 'field' : 'stored' } };
  }
  if ('default' in step) return { default: turnPlaces(step.default) };
  if ('constant' in step) return { constant: turnPlaces(step.constant) };
  if ('annotation' in step) return { annotation: turnPlaces(step.annotation) };
  if ('expression' in step) {
    const { field, stored, toStored, fromStored } = step.expression;
    return { expression: { field: stored, stored: field, toStored: fromStored, fromStored: toStored } };
  }
  if ('values' in step) {
    const { field, stored, pairs } = step.values;
    const turned = pairs.map((pair) => ({ field: pair.stored, stored: pair.field }));
    return { values: { field: stored, stored: field, pairs: turned } };
  }
  if (!('within' in step)) return undefined;
  const steps = turnSteps(step.within.steps);
  return steps && { within: { ...step.within, steps } };
}

/** Moves the one place of a step to the other side. */
function turnPlaces<T extends { readonly field?: string; readonly stored?: string }>({ field, stored, ...rest }: T) {
  return {
    ...rest,
    ...(stored === undefined ? {} : { field: stored }),
    ...(field === undefined ? {} : { stored: field }),
  };
}
