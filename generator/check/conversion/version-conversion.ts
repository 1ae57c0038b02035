/** Rules on conversions of native versions: the places exist, and the steps are possible. */
import type {
  AnnotationStep,
  ConversionPath,
  ConversionStep,
  Schema,
  WrapStep,
} from '../../../runtime/contract/index.js';
import { annotationKey } from '../../../runtime/objects/names/name-checks.js';
import { parsePath, type Segment, stepsOf } from '../../../runtime/schema/index.js';
import type { Path, Report } from '../../diagnostics/problem.js';
import { convertedSchemas, storedVersion } from '../../model/conversion.js';
import type { ConversionModel, ResourceModel, VersionModel } from '../../model/model.js';
import { unturnable } from '../../model/turned-conversion.js';
import { checkComputedFields } from './computed-fields.js';
import { checkExpressions } from './expressions.js';

/** Checks the conversions of a definition, each by itself. */
export function checkVersionConversions(resource: ResourceModel, report: Report): void {
  const stored = storedVersion(resource);
  checkComputedFields(resource, report);
  resource.versions.forEach((version, index) => {
    const path: Path = ['spec', 'versions', index, 'conversion'];
    const { conversion, to } = version.written ?? { conversion: version.conversion, to: stored?.name };
    if (conversion === undefined) return;
    if (version === stored && version.conversion) {
      const message = resource.virtual ? VIRTUAL : whyNotTurned(resource, conversion);
      report({ code: 'KF4031', path, at: 'key', message });
      return;
    }
    const other = resource.versions.find(({ name }) => name === to);
    const sides = { this: version, ...(other ? { stored: other } : {}) };
    checkSteps(conversion.steps, { sides, below: [], path: [...path, 'steps'], report });
    checkPlaces(conversion, sides, path, report);
    const schemas = version.written && other ? { own: version.schema, stored: other.schema } : undefined;
    checkExpressions(conversion.steps, schemas ?? convertedSchemas(resource, version), [...path, 'steps'], report);
  });
}

/** Reported if the preferred version of a virtual kind has a conversion. */
const VIRTUAL = 'the preferred version of a virtual kind must not have a conversion: the others are converted to it';

/** Returns why the conversion of the stored version cannot be reversed for another version. */
function whyNotTurned({ versions }: ResourceModel, { steps, function: code }: ConversionModel): string {
  const others = versions.filter((each) => each.conversion === undefined && !each.storage);
  if (others.length !== 1) {
    const which = others.length === 0 ? 'all have one' : `${others.map(({ name }) => name).join(', ')} have none`;
    return `the stored version has a conversion, so exactly one other version must have none; ${which}`;
  }
  const [step] = Object.keys(unturnable(steps) ?? {});
  const what = code === undefined ? `the step \`${step}\`` : `the function ${code}`;
  return `${what} cannot be reversed; write the conversion in ${others[0]?.name} instead, from this version`;
}

interface Sides {
  readonly this: VersionModel;
  /** Absent if objects are stored as another resource. */
  readonly stored?: VersionModel;
}

interface Scope {
  /** Absent within an annotation, which has no schema. */
  readonly sides: Sides | undefined;
  readonly below: readonly Segment[];
  readonly path: Path;
  readonly report: Report;
}

function checkSteps(steps: readonly ConversionStep[], scope: Scope): void {
  for (const [index, step] of steps.entries()) checkStep(step, { ...scope, path: [...scope.path, index] });
}

function checkStep(step: ConversionStep, scope: Scope): void {
  if ('within' in step) {
    const path = [...scope.path, 'within'];
    const segments = readPlace(step.within.path, undefined, { ...scope, path: [...path, 'path'] });
    if (segments)
      checkSteps(step.within.steps, { ...scope, below: [...scope.below, ...segments], path: [...path, 'steps'] });
    return;
  }
  const inStep = { ...scope, path: [...scope.path, ...Object.keys(step)] };
  if ('annotation' in step) checkAnnotation(step.annotation, inStep);
  else if ('default' in step) checkOneSided(step.default, step.default.annotation, inStep);
  else if ('constant' in step) checkOneSided(step.constant, undefined, inStep);
  else checkSides(step, inStep);
}

type OneSided = 'within' | 'annotation' | 'default' | 'constant';

/** A step with places that are fields of both versions, or several fields of one. */
type SidedStep = Exclude<ConversionStep, { readonly [K in OneSided]: { readonly [Key in K]: object } }[OneSided]>;

/** A place named by a step: its path within the step, and its version. */
interface NamedPlace {
  readonly at: Path;
  readonly place: ConversionPath;
  readonly of: 'this' | 'stored';
}

/** Checks the places of a step: all must go through the same lists as the first. */
function checkSides(step: SidedStep, scope: Scope): void {
  let first: { readonly place: ConversionPath; readonly segments: readonly Segment[] | undefined } | undefined;
  for (const { at, place, of } of placesIn(step)) {
    const path = [...scope.path, ...at];
    const segments = readPlace(place, of, { ...scope, path });
    first ??= { place, segments };
    if (!first.segments || !segments || sameLists(first.segments, segments)) continue;
    const message = `\`${place}\` goes through other lists than \`${first.place}\``;
    scope.report({ code: 'KF4031', path, message });
  }
  if ('wrap' in step) checkWrap(step.wrap, scope);
}

function placesIn(step: SidedStep): readonly NamedPlace[] {
  const several = (of: NamedPlace['of'], key: string, places: readonly ConversionPath[]): NamedPlace[] =>
    places.map((place, index) => ({ at: [key, index], place, of }));
  const stored = (place: ConversionPath): NamedPlace => ({ at: ['stored'], place, of: 'stored' });
  if ('derived' in step) {
    const from = Object.entries(step.derived.from);
    return [
      stored(step.derived.stored),
      ...from.map(([value, place]): NamedPlace => ({ at: ['from', value], place, of: 'stored' })),
    ];
  }
  if ('join' in step) return [stored(step.join.stored), ...several('this', 'fields', step.join.fields)];
  const said = fieldsOf(step);
  const field: NamedPlace = { at: ['field'], place: said.field, of: 'this' };
  return [
    field,
    ...(typeof said.stored === 'string' ? [stored(said.stored)] : several('stored', 'stored', said.stored)),
  ];
}

/** Returns the field of a step and its place in the stored version. */
function fieldsOf(step: Exclude<SidedStep, { readonly derived: object } | { readonly join: object }>) {
  if ('move' in step) return step.move;
  if ('split' in step) return step.split;
  if ('wrap' in step) return step.wrap;
  if ('expression' in step) return step.expression;
  return 'item' in step ? step.item : step.values;
}

/** Checks that a place of a list is a list, and that an annotation does not keep values of several items. */
function checkWrap(wrap: WrapStep, scope: Scope): void {
  const { list = 'stored', annotation } = wrap;
  const version = scope.sides?.[list === 'field' ? 'this' : 'stored'];
  const segments = parsePath(wrap[list]);
  const schema = version && segments && schemaAt(version.schema, [...scope.below, ...segments]);
  if (schema?.type !== undefined && schema.type !== 'array') {
    const message = `\`${wrap[list]}\` is not a list in ${version?.name}`;
    scope.report({ code: 'KF4031', path: [...scope.path, list], message });
  }
  checkKey(annotation, 'annotation', wrap.field, scope);
}

/** Checks a field of only one version. An annotation belongs to a single field. */
function checkOneSided(
  { field, stored }: { readonly field?: ConversionPath; readonly stored?: ConversionPath },
  annotation: string | undefined,
  scope: Scope,
): void {
  const place = oneSide({ field, stored }, scope);
  if (place !== undefined) checkKey(annotation, 'annotation', place, scope);
}

/** Returns the place of a step with a field of only one version. Reports any other number of places. */
function oneSide(
  { field, stored }: { readonly field?: ConversionPath | undefined; readonly stored?: ConversionPath | undefined },
  scope: Scope,
): ConversionPath | undefined {
  if ((field === undefined) === (stored === undefined)) {
    const message =
      'write either `field` or `stored`: `field` if this version has the field, `stored` if the stored version has it';
    scope.report({ code: 'KF4031', path: scope.path, message });
    return undefined;
  }
  const [place, side] = stored === undefined ? [field ?? '', 'this' as const] : [stored, 'stored' as const];
  const at = side === 'this' ? 'field' : 'stored';
  readPlace(place, side, { ...scope, path: [...scope.path, at] }, otherKey(place, side, scope));
  return place;
}

/** Returns the key to write a place under if only the other version has it. */
function otherKey(place: ConversionPath, side: 'this' | 'stored', { sides, below }: Scope): string | undefined {
  const [key, other] = side === 'this' ? (['stored', sides?.stored] as const) : (['field', sides?.this] as const);
  const segments = parsePath(place);
  if (!other || !segments || !leadsSomewhere(other.schema, [...below, ...segments])) return undefined;
  return `write \`${key}: ${place}\`; ${other.name} has the field`;
}

/** Checks the key of an annotation that keeps the value of one place. */
function checkKey(key: string | undefined, at: 'key' | 'annotation', place: ConversionPath, scope: Scope): void {
  if (key === undefined) return;
  const [problem] = annotationKey(key);
  if (problem !== undefined) {
    const message = `"${key}" is not an annotation key: ${problem}`;
    scope.report({ code: 'KF4031', path: [...scope.path, at], message });
  }
  if (!parsePath(place)?.includes('each') && !scope.below.includes('each')) return;
  scope.report({
    code: 'KF4031',
    path: scope.path,
    message: `one annotation cannot keep a value for each \`${place}\``,
  });
}

function checkAnnotation({ key, steps = [], ...sides }: AnnotationStep, scope: Scope): void {
  const place = oneSide(sides, scope);
  if (place === undefined) return;
  checkKey(key, 'key', place, scope);
  checkSteps(steps, { ...scope, sides: undefined, below: [], path: [...scope.path, 'steps'] });
}

/** Splits a place into segments. Reports a malformed place, or one without a field. */
function readPlace(
  place: string,
  side: 'this' | 'stored' | undefined,
  scope: Scope,
  suggestion?: string,
): readonly Segment[] | undefined {
  const segments = parsePath(place);
  if (segments === undefined || place === '') {
    const message = `\`${place}\` is not a place; write keys with dots between them, and [] for each item of a list`;
    scope.report({ code: 'KF4031', path: scope.path, message });
    return undefined;
  }
  const version = side && scope.sides?.[side];
  if (version && !segments.some(isTemporary) && !leadsSomewhere(version.schema, [...scope.below, ...segments])) {
    const message = `\`${place}\` leads to no field of ${version.name}`;
    scope.report({ code: 'KF4031', path: scope.path, message, ...(suggestion === undefined ? {} : { suggestion }) });
  }
  return segments;
}

/** Returns whether a segment is a temporary place between two steps, which no schema has: a key with a `$` in front. */
const isTemporary = (segment: Segment): boolean => segment !== 'each' && segment.key.startsWith('$');

function sameLists(one: readonly Segment[], other: readonly Segment[]): boolean {
  return JSON.stringify(stepsOf(one).lists) === JSON.stringify(stepsOf(other).lists);
}

/** Returns the schema of a place. Keys of maps have the schema of any entry. */
function schemaAt(schema: Schema | undefined, [first, ...rest]: readonly Segment[]): Schema | undefined {
  if (first === undefined || schema === undefined) return schema;
  if (first === 'each') return schemaAt(schema.items, rest);
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, first.key)) return schemaAt(properties[first.key], rest);
  return typeof additionalProperties === 'object' ? schemaAt(additionalProperties, rest) : undefined;
}

/** Returns whether a schema allows something at a place. A map allows every key. */
function leadsSomewhere(schema: Schema, [first, ...rest]: readonly Segment[]): boolean {
  if (first === undefined) return true;
  const { properties = {}, additionalProperties, items } = schema;
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return true;
  if (first === 'each') return items !== undefined && leadsSomewhere(items, rest);
  const child = Object.hasOwn(properties, first.key) ? properties[first.key] : additionalProperties;
  if (child === undefined || child === false) return false;
  return child === true || leadsSomewhere(child, rest);
}

function checkPlaces(
  { lost, oneOf }: NonNullable<VersionModel['conversion']>,
  sides: Sides,
  path: Path,
  report: Report,
): void {
  lost.forEach(({ of, path: place }, index) => {
    const at = [...path, 'lost', index, of === 'this' ? 'field' : 'stored'];
    readPlace(place, of, { sides, below: [], path: at, report });
  });
  oneOf.forEach(({ of, fields }, index) => {
    fields.forEach((place, each) => {
      readPlace(place, of, { sides, below: [], path: [...path, 'oneOf', index, 'fields', each], report });
    });
  });
}
