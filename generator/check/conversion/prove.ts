/** Shows on made-up objects that a version and the stored one say the same, or which field would be lost between them. */
import type { Conversion, ConversionStep, JsonObject, SchemaFunctions } from '../../../runtime/contract/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { compileSchema, instantiate, instantiateConversion } from '../../../runtime/schema/index.js';
import type { ConversionModel, ResourceModel, VersionModel } from '../../model/model.js';
import { defineObjects } from './arbitrary-object.js';
import { differences } from './differences.js';
import { createRandom } from './random.js';

/** A version with the resource that it is one of. */
export interface ProvenVersion {
  readonly resource: ResourceModel;
  readonly version: VersionModel;
}

/** A field that does not come back. */
export interface Loss {
  /** Of which version the objects were. */
  readonly of: 'this' | 'stored';
  /** As in `spec.rules[].host`. */
  readonly path: string;
}

/** Objects that are made up for each direction. */
const OBJECTS = 48;

/** Losses that are told of one version. */
const MAX_LOSSES = 10;

const NO_CONVERSION: ConversionModel = { steps: [], oneOf: [], lost: [] };

/**
 * Converts made-up objects of the stored version to the other one and back, and the other way round. The same
 * definitions always meet the same objects. `more` is what comes after the steps, for a conversion that names code.
 */
export function findLosses(one: ProvenVersion, stored: ProvenVersion, more?: Conversion): readonly Loss[] {
  const conversion = one.version.conversion ?? NO_CONVERSION;
  const steps = instantiateConversion(conversion.steps);
  const [own, kept] = [functionsOf(one), functionsOf(stored)];
  const toStored = (object: JsonObject): void => {
    more?.toStored(object, same);
    steps.toStored(object, same);
    canonicalize(kept, object);
    kept.applyDefaults(object);
  };
  const fromStored = (object: JsonObject): void => {
    steps.fromStored(object, same);
    more?.fromStored(object, same);
    canonicalize(own, object);
  };
  const unordered = new Set(listsOf(conversion.steps, ''));
  const losses = new Map<string, Loss>();
  const [schema, other] = [one.version.schema, stored.version.schema];
  const directions = [
    { of: 'stored', schema: other, other: schema, functions: kept, there: fromStored, back: toStored },
    { of: 'this', schema, other, functions: own, there: toStored, back: fromStored },
  ] as const;
  for (const { of, functions, there, back, ...schemas } of directions) {
    const make = defineObjects({ ...schemas, side: of, conversion });
    const random = createRandom(1);
    for (let count = 0; count < OBJECTS && losses.size < MAX_LOSSES; count++) {
      // The first has every field; the others are ever sparser.
      const before = make(random, 1 - count / OBJECTS);
      if (!canonicalize(functions, before)) continue;
      functions.applyDefaults(before);
      const after = clone(before);
      there(after);
      back(after);
      for (const path of differences(before, after, { unordered, mayGain: of === 'this' })) {
        if (!isMeantToBeLost(conversion, of, path)) losses.set(`${of} ${path}`, { of, path });
      }
    }
  }
  const found = [...losses.values()];
  return found.filter((loss) => !found.some((other) => isAround(loss, other))).slice(0, MAX_LOSSES);
}

/** Whether a loss is told by another one, which lies in it. */
const isAround = (one: Loss, other: Loss): boolean =>
  one.of === other.of && other.path.startsWith(one.path) && /^[.[]/.test(other.path.slice(one.path.length));

const same = (name: string): string => name;

const compiled = new WeakMap<VersionModel, SchemaFunctions>();

function functionsOf({ resource: { decoding, names }, version }: ProvenVersion): SchemaFunctions {
  const known = compiled.get(version);
  if (known !== undefined) return known;
  const options = { decoding, kind: names.kind, version: version.name, language: 'js' } as const;
  const made = instantiate(compileSchema(version.schema, options).text);
  compiled.set(version, made);
  return made;
}

/** Whether the object could be brought into canonical form: not every text has the format that its field asks for. */
function canonicalize(functions: SchemaFunctions, object: JsonObject): boolean {
  const mismatch = functions.normalize?.(object);
  functions.prune(object, () => {});
  return mismatch === undefined;
}

/** Lists that items are taken out of and put back at the end. */
function listsOf(steps: readonly ConversionStep[], below: string): readonly string[] {
  return steps.flatMap((step): readonly string[] => {
    if ('item' in step) return [join(below, step.item.stored)];
    return 'within' in step ? listsOf(step.within.steps, join(below, step.within.path)) : [];
  });
}

const join = (below: string, path: string): string => {
  if (below === '' || path === '') return below + path;
  return path.startsWith('[') ? below + path : `${below}.${path}`;
};

function isMeantToBeLost({ lost }: ConversionModel, of: Loss['of'], path: string): boolean {
  return lost.some(
    (each) =>
      each.of === of &&
      (path === each.path || /^[.[]/.test(path.slice(each.path.length))) &&
      path.startsWith(each.path),
  );
}
