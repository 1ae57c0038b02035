/** Runs the steps of a conversion in one direction. */
import type {
  AnnotationStep,
  ConstantStep,
  ConversionPath,
  ConversionStep,
  DefaultStep,
  DerivedStep,
  EvaluateExpression,
  ExpressionStep,
  FitsStored,
  InRelease,
  ItemStep,
  JsonObject,
  JsonValue,
  MoveStep,
  Rename,
  ValuesStep,
  WrapStep,
} from '../contract/index.js';
import { clone } from '../objects/clone.js';
import { equal } from '../objects/equality.js';
import { isArray, isObject } from '../objects/guards.js';
import { parsePath, type Segment, stepsOf } from '../objects/selectors/object-path.js';
import {
  addAt,
  addDefault,
  dropAt,
  dropDefault,
  type ItemPlace,
  isOf,
  itemsAt,
  joinText,
  listToSingle,
  meaningOf,
  putAnnotation,
  putAt,
  putItem,
  readItem,
  singleToList,
  splitText,
  takeAnnotation,
  takeAt,
  takeItem,
  valueAt,
} from './conversion-places.js';

export type Direction = 'toStored' | 'fromStored';

/** The functions that a run needs. */
interface Tools {
  readonly rename: Rename;
  readonly evaluate: EvaluateExpression;
  readonly fits: FitsStored;
  readonly isThere: InRelease;
}

/** Converts a part of an object in place. */
export type Run = (object: JsonObject, tools: Tools) => void;

/** The data that all steps in a list share. */
interface Scope {
  readonly direction: Direction;
  /** The expressions of all steps, by their numbers. */
  readonly expressions: readonly ExpressionStep[];
  /** The place to which the places of the steps are relative. */
  readonly below: readonly Segment[];
}

/** Makes the runs of steps. To the stored version, steps run from the last to the first. */
export function runsOf(steps: readonly ConversionStep[], scope: Scope): readonly Run[] {
  const ordered = scope.direction === 'toStored' ? [...steps].reverse() : steps;
  return ordered.flatMap((step) => runsOfStep(step, scope));
}

function runsOfStep(step: ConversionStep, scope: Scope): Run | readonly Run[] {
  const toStored = scope.direction === 'toStored';
  if ('move' in step) return move(step.move, scope);
  if ('split' in step) {
    const { field, stored, separator } = step.split;
    return (toStored ? takeApart : putTogether)(field, stored, separator, scope);
  }
  if ('join' in step) {
    const { fields, stored, separator } = step.join;
    return (toStored ? putTogether : takeApart)(stored, fields, separator, scope);
  }
  if ('wrap' in step) return wrap(step.wrap, scope);
  if ('default' in step) return byDefault(step.default, scope);
  if ('constant' in step) return constant(step.constant, scope);
  if ('expression' in step) return expression(step.expression, scope);
  if ('item' in step) return item(step.item, scope);
  if ('annotation' in step) return annotation(step.annotation, scope);
  if ('values' in step) return values(step.values, scope);
  if ('derived' in step) return derived(step.derived, scope);
  return runsOf(step.within.steps, { ...scope, below: [...scope.below, ...segmentsOf(step.within.path)] });
}

/** Keys that lead from an object to a place. */
type Keys = readonly string[];

/** Changes an object at the places that a step names in it. */
type Act = (object: JsonObject, places: readonly Keys[], tools: Tools) => void;

/**
 * Runs for each object that all paths share, item by item in lists. All paths go through the same lists, as `check`
 * ensures.
 */
function each({ below }: Scope, paths: readonly ConversionPath[], act: Act): Run {
  const split = paths.map((path) => stepsOf([...below, ...segmentsOf(path)]));
  const places = split.map(({ keys }) => keys);
  const lists = split[0]?.lists ?? [];
  const go = (object: JsonObject, at: number, tools: Tools): void => {
    const keys = lists[at];
    if (keys === undefined) act(object, places, tools);
    else for (const inner of itemsAt(object, ...keys)) go(inner, at + 1, tools);
  };
  return (object, tools) => go(object, 0, tools);
}

/** Returns the places of a field and of the stored field, in the direction of the conversion. */
const fromTo = <T>({ direction }: Scope, field: T, stored: T): readonly [from: T, to: T] =>
  direction === 'toStored' ? [field, stored] : [stored, field];

function move({ field, stored, type, absent, introduced }: MoveStep, scope: Scope): Run {
  const toStored = scope.direction === 'toStored';
  return each(scope, fromTo(scope, field, stored), (object, [from = [], to = []], { isThere }) => {
    if (introduced !== undefined && !isThere({ introduced })) return;
    if (absent !== undefined) moveOrAbsent(object, from, to, absent, toStored);
    else if (type === undefined || !toStored || isOf(valueAt(object, ...from), type)) {
      putAt(object, takeAt(object, ...from), ...to);
    }
  });
}

/** Moves a value. In this version, the value `absent` means that the stored value is absent. */
function moveOrAbsent(object: JsonObject, from: Keys, to: Keys, absent: JsonValue, toStored: boolean): void {
  if (toStored) {
    // Keeps the object around an absent value, because it may be empty.
    if (equal(valueAt(object, ...from), absent)) dropAt(object, ...from);
    else putAt(object, takeAt(object, ...from), ...to);
  } else if (to.length < 2 || valueAt(object, ...to.slice(0, -1)) !== undefined) {
    putAt(object, takeAt(object, ...from) ?? clone(absent), ...to);
  }
}

/** Splits a text into several fields. */
function takeApart(whole: ConversionPath, parts: readonly ConversionPath[], separator: string, scope: Scope): Run {
  return each(scope, [whole, ...parts], (object, [from = [], ...places]) => {
    const texts = splitText(takeAt(object, ...from), separator, places.length);
    for (const [i, place] of places.entries()) putAt(object, texts[i], ...place);
  });
}

/** Joins several fields into a text. */
function putTogether(whole: ConversionPath, parts: readonly ConversionPath[], separator: string, scope: Scope): Run {
  return each(scope, [whole, ...parts], (object, [to = [], ...places]) => {
    const taken = places.map((place) => takeAt(object, ...place));
    putAt(object, joinText(taken, separator), ...to);
  });
}

function wrap({ field, stored, list = 'stored', annotation: key }: WrapStep, scope: Scope): Run {
  const convert = (list === 'stored') === (scope.direction === 'fromStored') ? listToSingle : singleToList;
  const paths = list === 'stored' ? [stored, field] : [field, stored];
  return each(scope, paths, (object, [listKeys = [], single = []], { rename }) => {
    convert(object, { list: listKeys, single, ...(key === undefined ? {} : { annotation: rename(key) }) });
  });
}

/** Returns whether only the target version has the field. */
const isAdded = ({ direction }: Scope, stored: ConversionPath | undefined): boolean =>
  (stored !== undefined) === (direction === 'toStored');

function byDefault({ field, stored, value, annotation: key }: DefaultStep, scope: Scope): Run {
  const convert = isAdded(scope, stored) ? addDefault : dropDefault;
  return each(scope, [stored ?? field ?? ''], (object, [keys = []], { rename }) => {
    convert(object, value, keys, key === undefined ? undefined : rename(key));
  });
}

function constant({ field, stored, value }: ConstantStep, scope: Scope): Run {
  const adds = isAdded(scope, stored);
  return each(scope, [stored ?? field ?? ''], (object, [keys = []]) => {
    if (adds) addAt(object, value, ...keys);
    else dropAt(object, ...keys);
  });
}

function expression(step: ExpressionStep, scope: Scope): Run {
  const number = scope.expressions.indexOf(step);
  return each(scope, fromTo(scope, step.field, step.stored), (object, [from = [], to = []], { evaluate }) => {
    putAt(object, evaluate(number, takeAt(object, ...from)), ...to);
  });
}

function item({ field, stored, where, value, copied = false }: ItemStep, scope: Scope): Run {
  const place: ItemPlace = {
    where: Object.entries(where).map(([path, wanted]) => ({ keys: keysOf(path), value: wanted })),
    value: keysOf(value),
  };
  return each(scope, [field, stored], (object, [keys = [], list = []]) => {
    if (scope.direction === 'fromStored') {
      putAt(object, copied ? readItem(object, list, place) : takeItem(object, list, place, true), ...keys);
      return;
    }
    const isListed = copied && isArray(valueAt(object, ...list));
    const taken = takeAt(object, ...keys);
    if (!isListed) putItem(object, taken, list, place);
  });
}

function annotation({ key, field, stored, as = 'json', steps = [] }: AnnotationStep, scope: Scope): Run {
  const toAnnotation = (stored === undefined) === (scope.direction === 'toStored');
  const inner = runsOf(steps, { ...scope, below: [] });
  return each(scope, [stored ?? field ?? ''], (object, [keys = []], tools) => {
    const name = tools.rename(key);
    const box: JsonObject = { value: toAnnotation ? takeAt(object, ...keys) : takeAnnotation(object, name, as) };
    for (const run of inner) run(box, tools);
    if (toAnnotation) putAnnotation(object, box.value, name, as);
    else if (box.value !== undefined && tools.fits(keys, box.value)) putAt(object, box.value, ...keys);
  });
}

function values({ field, stored, pairs }: ValuesStep, scope: Scope): Run {
  const rows = pairs.map((pair) => fromTo(scope, pair.field, pair.stored));
  return each(scope, fromTo(scope, field, stored), (object, [from = [], to = []], { rename }) => {
    const table = rows.map(([before, after]) => [named(before, rename), named(after, rename)] as const);
    putAt(object, meaningOf(takeAt(object, ...from), table), ...to);
  });
}

function derived({ stored, from }: DerivedStep, scope: Scope): Run {
  const names = Object.keys(from);
  return each(scope, [stored, ...Object.values(from)], (object, [keys = [], ...places]) => {
    for (const [i, place] of places.entries()) {
      const name = names[i] ?? '';
      if (valueAt(object, ...place) === undefined) continue;
      if (scope.direction === 'toStored') {
        putAt(object, name, ...keys);
        return;
      }
      if (valueAt(object, ...keys) === name) takeAt(object, ...keys);
    }
  });
}

const segmentsOf = (path: ConversionPath): readonly Segment[] => parsePath(path) ?? [];

const keysOf = (path: ConversionPath): Keys => stepsOf(segmentsOf(path)).keys;

/** A name below a domain, such as the key of a label. */
const nameBelowDomain = /^[a-z0-9-]+(\.[a-z0-9-]+)+\/[\w.-]+$/i;

/** Replaces the platform's names in a value by the served names. */
function named(value: JsonValue, rename: Rename): JsonValue {
  if (typeof value === 'string') return nameBelowDomain.test(value) ? rename(value) : value;
  if (isArray(value)) return value.map((each) => named(each, rename));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, named(inner ?? null, rename)]));
}
