/**
 * Shows on generated objects that a version and the stored one hold the same data, or which field would be lost between
 * them.
 */
import {
  checkRules,
  compileRuleTree,
  instantiateExpressions,
  laterEnvironment,
  laterReading,
} from '../../../runtime/cel/index.js';
import type {
  Conversion,
  ConversionReport,
  ConversionStep,
  FieldError,
  JsonObject,
  JsonValue,
  Schema,
  SchemaFunctions,
} from '../../../runtime/contract/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { isArray, isObject } from '../../../runtime/objects/guards.js';
import { defineConversion, schemaFunctions, withoutOldRepeats } from '../../../runtime/schema/index.js';
import type { ConversionModel, ResourceModel, VersionModel } from '../../model/model.js';
import { computes, defineObjects, join } from './arbitrary-object.js';
import { type Comparing, differences } from './differences.js';
import { mistyped } from './mistyped.js';
import { createRandom } from './random.js';

/** A version with its resource. */
export interface ProvenVersion {
  readonly resource: ResourceModel;
  readonly version: VersionModel;
}

/** A field that a conversion loses or cannot convert, or that the stored version refuses. */
export interface Loss {
  /** The version of the objects. */
  readonly of: 'this' | 'stored';
  /** As in `spec.rules[].host`. */
  readonly path: string;
  /** The value before and after; absent if there was none. */
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
  /** The reason that a value cannot be converted, if it cannot. The path is then in the other version. */
  readonly problem?: string;
  /**
   * The reason that the stored version refuses the converted object, if it does. The path is then in the stored
   * version.
   */
  readonly refusal?: string;
  /** A small object that shows it, without its metadata. */
  readonly witness: JsonObject;
}

/** Number of objects generated for each direction. */
const OBJECTS = 48;

/** Number of objects if values are computed or may be refused: only few values show such mistakes. */
const FULL_OBJECTS = 120;

/** Maximum number of losses reported for one version. */
const MAX_LOSSES = 10;

/** Maximum number of refusals reported for one version, if only refusals are searched for. */
const MAX_REFUSALS = 3;

const NO_CONVERSION: ConversionModel = { steps: [], oneOf: [], lost: [] };

/**
 * Converts generated objects of the stored version to the other one and back, and the other way round. The same
 * definitions always get the same objects. `more` runs after the steps, for a conversion that names code.
 */
export function findLosses(one: ProvenVersion, stored: ProvenVersion, more?: Conversion): readonly Loss[] {
  return search(one, directionsOf(one, stored, more));
}

/** Returns the share of its fields that an object has: the first object has all, later ones ever fewer. */
function densityOf(count: number, isComputed: boolean): number {
  if (count < OBJECTS) return 1 - count / OBJECTS;
  return isComputed ? 1 : 1 - (count % 4) / 4;
}

/** Finds objects of a version that the stored one refuses. Ignores losses. */
export function findRefusals(one: ProvenVersion, stored: ProvenVersion): readonly Loss[] {
  const directions = directionsOf(one, stored).filter(({ storedAs }) => storedAs !== undefined);
  return search(
    one,
    directions.map((direction) => ({ ...direction, onlyRefusals: true })),
    MAX_REFUSALS,
  );
}

function search({ version }: ProvenVersion, directions: readonly Direction[], most = MAX_LOSSES): readonly Loss[] {
  const conversion = version.conversion ?? NO_CONVERSION;
  const losses = new Map<string, Loss>();
  const inVain = new Map<string, number>();
  // If conversions are written for this version, its defaults may appear in objects of the stored one.
  const filledIn = new Set(version.written ? filledInBy(conversion.steps) : []);
  for (const direction of directions) {
    const { of } = direction;
    const make = defineObjects({ ...direction, side: of, conversion });
    const random = createRandom(1);
    const isSearched = computes(conversion.steps) || direction.storedAs !== undefined;
    const objects = isSearched ? OBJECTS + FULL_OBJECTS : OBJECTS;
    for (let count = 0; count < objects && losses.size < most; count++) {
      const trip = roundTrip(direction, make(random, densityOf(count, computes(conversion.steps))));
      for (const found of trip?.found ?? []) {
        const key = `${of} ${withoutIndexes(found.path)} ${kindOf(found)}`;
        const vain = inVain.get(key) ?? 0;
        if (found.before === undefined && kindOf(found) === 'is lost' && filledIn.has(found.path)) continue;
        if (losses.has(key) || vain >= MAX_VAIN || isMeantToBeLost(conversion, of, found.path)) continue;
        const small = shrink(direction, trip?.before ?? {}, found);
        if (small) losses.set(key, { of, ...small });
        else inVain.set(key, vain + 1);
      }
    }
  }
  const found = [...losses.values()];
  return found.filter((loss) => !found.some((other) => isAround(loss, other))).slice(0, most);
}

/** One conversion there and back. */
interface Direction {
  readonly of: Loss['of'];
  /** Of the version that objects begin in. */
  readonly schema: Schema;
  readonly other: Schema;
  readonly functions: CheckedVersion;
  /** Of the version that objects are stored in, for objects of the other one. */
  readonly storedAs?: CheckedVersion | undefined;
  /** Whether to ignore losses. */
  readonly onlyRefusals?: boolean;
  readonly there: Convert;
  readonly back: Convert;
  readonly comparing: Comparing;
}

type Convert = (object: JsonObject, report: ConversionReport) => void;

function directionsOf(one: ProvenVersion, stored: ProvenVersion, more?: Conversion): readonly Direction[] {
  const { steps: declared } = one.version.conversion ?? NO_CONVERSION;
  const schemas = { own: one.version.schema, stored: stored.version.schema };
  const steps = defineConversion(declared, instantiateExpressions(declared, schemas));
  const [own, kept] = [functionsOf(one), functionsOf(stored)];
  const toStored: Convert = (object, report) => {
    more?.toStored(object, same, report);
    steps.toStored(object, same, report);
    canonicalize(kept, object);
    kept.applyDefaults(object);
  };
  const fromStored: Convert = (object, report) => {
    steps.fromStored(object, same, report);
    more?.fromStored(object, same, report);
    canonicalize(own, object);
  };
  const unordered = new Set(listsOf(declared, ''));
  const [schema, other] = [one.version.schema, stored.version.schema];
  const ofStored = { schema: other, other: schema, functions: kept, there: fromStored, back: toStored };
  // Nobody writes objects of a version that is not served.
  const storedAs = one.version.served ? kept : undefined;
  const ofThis = { schema, other, functions: own, storedAs, there: toStored, back: fromStored };
  return [
    { of: 'stored', ...ofStored, comparing: { unordered, mayGain: false } },
    { of: 'this', ...ofThis, comparing: { unordered, mayGain: true } },
  ];
}

/** A loss found on one object, without its witness. */
type Found = Pick<Loss, 'path' | 'before' | 'after' | 'problem' | 'refusal'>;

/** Returns a path with all items of a list, and all entries of a map, as the same place. */
const withoutIndexes = (path: string): string => path.replace(/\[[^[\]]*\]/g, '[]');

const isSame = (one: Found, other: Found): boolean =>
  kindOf(one) === kindOf(other) && withoutIndexes(one.path) === withoutIndexes(other.path);

/** Returns what happens to a field, as a word. */
const kindOf = ({ problem, refusal }: Found): string =>
  problem !== undefined ? 'fails' : refusal !== undefined ? 'is refused' : 'is lost';

/**
 * Converts an object there and back. Returns the object in canonical form and its losses; `undefined` if the version
 * does not accept the object.
 */
function roundTrip(
  { functions, storedAs, onlyRefusals, other, there, back, comparing }: Direction,
  made: JsonObject,
): { readonly before: JsonObject; readonly found: readonly Found[] } | undefined {
  const before = clone(made);
  if (!canonicalize(functions, before)) return undefined;
  functions.applyDefaults(before);
  const after = clone(before);
  const failed: Found[] = [];
  const report: ConversionReport = (path, problem) => failed.push({ path, problem });
  there(after, report);
  if (onlyRefusals) return { before, found: storedAs?.refusalsOf(after).map(refusalOf) ?? [] };
  for (const { path, problem } of mistyped(after, other)) report(path, problem);
  const refused = failed.length === 0 && storedAs ? storedAs.refusalsOf(after).map(refusalOf) : [];
  back(after, report);
  return { before, found: failed.length > 0 ? failed : [...differences(before, after, comparing), ...refused] };
}

const refusalOf = ({ field, message }: FieldError): Found => ({ path: field, refusal: `${field}: ${message}` });

/** Number of attempts to find a valid object for a loss. After that, the loss is ignored. */
const MAX_VAIN = 3;

/** Number of objects tried to make one small. */
const MAX_TRIES = 200;

/**
 * Removes parts of an object while it still shows the same loss. Returns `undefined` if its version accepts no such
 * object: nobody can have one.
 */
function shrink(direction: Direction, first: JsonObject, found: Found): Omit<Loss, 'of'> | undefined {
  const isValid = (made: JsonObject): boolean => direction.functions.errorsOf(made).length === 0;
  let isShown = isValid(first);
  let [object, shown] = [first, found];
  let tries = 0;
  const attempt = (): boolean => {
    for (const smaller of smallerThan(object)) {
      if (++tries > MAX_TRIES) return false;
      const trip = roundTrip(direction, smaller);
      const again = trip?.found.find((each) => isSame(each, found));
      if (!again || !trip) continue;
      const isAccepted = isValid(trip.before);
      if (isShown && !isAccepted) continue;
      isShown = isAccepted;
      [object, shown] = [smaller, again];
      return true;
    }
    return false;
  };
  while (attempt());
  if (!isShown) return undefined;
  const { metadata: _metadata, ...witness } = object;
  return { ...shown, witness };
}

/**
 * Yields copies of an object with one part less, the largest parts first. A part is removed as a whole, never left
 * empty.
 */
function* smallerThan(object: JsonObject): Generator<JsonObject> {
  const parts = Object.entries(object).filter(([key]) => key !== 'metadata');
  for (const [key, value] of parts) {
    const { [key]: _taken, ...others } = object;
    if (parts.length > 1) yield others;
    if (isArray(value)) for (const list of shorterThan(value)) yield { ...object, [key]: list };
    else if (isObject(value)) for (const inner of smallerThan(value)) yield { ...object, [key]: inner };
  }
}

function* shorterThan(list: readonly JsonValue[]): Generator<JsonValue[]> {
  for (const [at, item] of list.entries()) {
    if (list.length > 1) yield list.filter((_item, index) => index !== at);
    const replaced = (by: JsonValue): JsonValue[] => list.map((each, index) => (index === at ? by : each));
    if (isArray(item)) for (const inner of shorterThan(item)) yield replaced(inner);
    else if (isObject(item)) for (const inner of smallerThan(item)) yield replaced(inner);
  }
}

/** Returns whether a loss is part of another one, which is reported instead. */
const isAround = (one: Loss, other: Loss): boolean =>
  one.of === other.of &&
  one.problem === undefined &&
  one.refusal === undefined &&
  other.path.startsWith(one.path) &&
  /^[.[]/.test(other.path.slice(one.path.length));

const same = (name: string): string => name;

/** The functions of a version, with its rules. */
interface CheckedVersion extends SchemaFunctions {
  /** Returns why the version refuses an object. */
  readonly errorsOf: (object: JsonObject) => readonly FieldError[];
  /** Returns why it refuses each write of an object that is stored. */
  readonly refusalsOf: (object: JsonObject) => readonly FieldError[];
}

const compiled = new WeakMap<VersionModel, CheckedVersion>();

function functionsOf({ resource: { decoding, names }, version }: ProvenVersion): CheckedVersion {
  const known = compiled.get(version);
  if (known !== undefined) return known;
  const options = { decoding, kind: names.kind, version: version.name } as const;
  const functions = schemaFunctions(version.schema, options);
  const rules = compileRuleTree(version.schema, laterEnvironment, laterReading);
  const errorsOf = (object: JsonObject): readonly FieldError[] => {
    const errors: FieldError[] = [];
    functions.validate(object, errors);
    if (errors.length === 0) checkRules(rules, object, undefined, errors);
    return errors;
  };
  const refusalsOf = (object: JsonObject): readonly FieldError[] => [
    ...withoutOldRepeats(functions, decoding, errorsOf(object), object),
  ];
  const made = { ...functions, errorsOf, refusalsOf };
  compiled.set(version, made);
  return made;
}

/** Brings an object into canonical form. Returns whether that succeeded: not every text has the format of its field. */
function canonicalize(functions: SchemaFunctions, object: JsonObject): boolean {
  const mismatch = functions.normalize?.(object);
  functions.prune(object, () => {});
  return mismatch === undefined;
}

/** Returns places of the stored version that get a value if they have none. */
function filledInBy(steps: readonly ConversionStep[], below = ''): readonly string[] {
  return steps.flatMap((step): readonly string[] => {
    const { stored } = 'default' in step ? step.default : 'constant' in step ? step.constant : {};
    if (stored !== undefined) return [join(below, stored)];
    return 'within' in step ? filledInBy(step.within.steps, join(below, step.within.path)) : [];
  });
}

/** Lists that lose items in a conversion, and get them at the end when converted back. */
function listsOf(steps: readonly ConversionStep[], below: string): readonly string[] {
  return steps.flatMap((step): readonly string[] => {
    if ('item' in step) return [join(below, step.item.stored)];
    return 'within' in step ? listsOf(step.within.steps, join(below, step.within.path)) : [];
  });
}

function isMeantToBeLost({ lost }: ConversionModel, of: Loss['of'], path: string): boolean {
  return lost.some(
    (each) =>
      each.of === of &&
      (path === each.path || /^[.[]/.test(path.slice(each.path.length))) &&
      path.startsWith(each.path),
  );
}
