/** Rules on how a version of a native definition is converted: places that there are, and steps that can be taken. */
import type { ConversionPath, ConversionStep, Schema } from '../../../runtime/contract/index.js';
import { parsePath, type Segment, stepsOf } from '../../../runtime/schema/index.js';
import type { Path, Report } from '../../diagnostics/problem.js';
import type { ResourceModel, VersionModel } from '../../model/model.js';

/** Checks the conversions of a definition, each by itself. */
export function checkVersionConversions(resource: ResourceModel, report: Report): void {
  const stored = resource.versions.find(({ storage }) => storage);
  resource.versions.forEach((version, index) => {
    const path: Path = ['spec', 'versions', index, 'conversion'];
    if (version.conversion === undefined) return;
    if (version.storage) {
      const message = 'the version that objects are stored in is not converted';
      report({ code: 'KF4031', path, at: 'key', message });
    }
    const sides = { this: version, ...(stored ? { stored } : {}) };
    checkSteps(version.conversion.steps, { sides, below: [], path: [...path, 'steps'], report });
    checkPlaces(version.conversion, sides, path, report);
  });
}

interface Sides {
  readonly this: VersionModel;
  /** Absent where objects are stored as another resource. */
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
  if ('derived' in step) {
    const path = [...scope.path, 'derived'];
    const { stored, from } = step.derived;
    const segments = readPlace(stored, 'stored', { ...scope, path: [...path, 'stored'] });
    for (const [value, place] of Object.entries(from)) {
      const other = readPlace(place, 'stored', { ...scope, path: [...path, 'from', value] });
      if (!segments || !other || sameLists(segments, other)) continue;
      const message = `\`${place}\` goes through other lists than \`${stored}\``;
      scope.report({ code: 'KF4031', path: [...path, 'from', value], message });
    }
    return;
  }
  if ('annotation' in step) {
    checkAnnotation(step.annotation, { ...scope, path: [...scope.path, 'annotation'] });
    return;
  }
  const path = [...scope.path, ...Object.keys(step)];
  const said = fieldsOf(step);
  const field = readPlace(said.field, 'this', { ...scope, path: [...path, 'field'] });
  const places: readonly ConversionPath[] = typeof said.stored === 'string' ? [said.stored] : said.stored;
  places.forEach((place, index) => {
    const at = typeof said.stored === 'string' ? [...path, 'stored'] : [...path, 'stored', index];
    const stored = readPlace(place, 'stored', { ...scope, path: at });
    if (field && stored && !sameLists(field, stored)) {
      const message = `\`${place}\` goes through other lists than \`${said.field}\``;
      scope.report({ code: 'KF4031', path: at, message });
    }
  });
}

/** The field of a step and what it is in the stored version. */
function fieldsOf(
  step: Exclude<
    ConversionStep,
    { readonly within: object } | { readonly annotation: object } | { readonly derived: object }
  >,
) {
  if ('move' in step) return step.move;
  if ('split' in step) return step.split;
  return 'item' in step ? step.item : step.values;
}

function checkAnnotation(
  { field, stored, steps = [] }: Extract<ConversionStep, { annotation: object }>['annotation'],
  scope: Scope,
): void {
  if ((field === undefined) === (stored === undefined)) {
    scope.report({
      code: 'KF4031',
      path: scope.path,
      message: 'say either `field` or `stored`, whichever has the field',
    });
    return;
  }
  const [place, side] = stored === undefined ? [field ?? '', 'this' as const] : [stored, 'stored' as const];
  const segments = readPlace(place, side, { ...scope, path: [...scope.path, side === 'this' ? 'field' : 'stored'] });
  if (segments?.includes('each')) {
    scope.report({ code: 'KF4031', path: scope.path, message: `one annotation cannot keep each of \`${place}\`` });
  }
  checkSteps(steps, { ...scope, sides: undefined, below: [], path: [...scope.path, 'steps'] });
}

/** The segments of a place; a malformed one, or one that leads to no field, is reported. */
function readPlace(place: string, side: 'this' | 'stored' | undefined, scope: Scope): readonly Segment[] | undefined {
  const segments = parsePath(place);
  if (segments === undefined || place === '') {
    const message = `\`${place}\` is no place; write keys with dots between them, and [] for each item of a list`;
    scope.report({ code: 'KF4031', path: scope.path, message });
    return undefined;
  }
  const version = side && scope.sides?.[side];
  if (version && !segments.some(isTemporary) && !leadsSomewhere(version.schema, [...scope.below, ...segments])) {
    scope.report({ code: 'KF4031', path: scope.path, message: `\`${place}\` leads to no field of ${version.name}` });
  }
  return segments;
}

/** A key that begins with `$` is a place between two steps, which no schema knows. */
const isTemporary = (segment: Segment): boolean => segment !== 'each' && segment.key.startsWith('$');

function sameLists(one: readonly Segment[], other: readonly Segment[]): boolean {
  return JSON.stringify(stepsOf(one).lists) === JSON.stringify(stepsOf(other).lists);
}

/** Whether a schema may have something at a place; a map has every key. */
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
