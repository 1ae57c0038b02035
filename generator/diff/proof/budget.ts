/** Looks for objects so large that a rule costs more than the server lets rules cost. */
import {
  callCostLimit,
  compileRules,
  laterEnvironment,
  laterReading,
  objectCostLimit,
} from '../../../runtime/cel/index.js';
import type { JsonObject, Schema } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { MAX_OBJECT_BYTES } from '../../../runtime/objects/size-limit.js';
import type { Trial } from './effects.js';
import type { PlacedDifference } from './place.js';
import { asTrials, type TrialSource } from './trials.js';
import { type Growth, grow } from './values/grow.js';

/** Whether rules of a schema may cost more than one of them, or all together, are allowed for an object, by the estimate. */
export function mayExceedBudget(schema: Schema): boolean {
  const costs = compileRules(schema, laterEnvironment, laterReading).map(({ cost, message }) => [
    cost,
    message?.cost ?? 0,
  ]);
  const all = costs.flat();
  return all.some((cost) => cost > callCostLimit) || all.reduce((sum, cost) => sum + cost, 0) > objectCostLimit;
}

/** Whether a difference lets rules cost more than they did. */
export const addsCost = ({ keyword, new: later }: PlacedDifference): boolean =>
  keyword === 'x-kubernetes-validations' && later !== undefined;

/** Ways to grow, the plainest first. */
const WAYS: readonly Omit<Growth, 'count'>[] = [
  { texts: false, around: false },
  { texts: false, around: true },
  { texts: true, around: false },
  { texts: true, around: true },
];

/** Objects that are grown. */
const MAX_BASES = 3;

/** The sum of the sizes of objects that are tried for one difference, which bounds the time that it takes. */
const MAX_BYTES_TRIED = 8 * 1024 * 1024;

const FIRST_COUNT = 16;

/** The outcome of a trial of a large object: whether the old definition accepts it, and whether the new one feels it. */
export interface LargeAnswer {
  readonly counted: boolean;
  readonly isFelt: boolean;
}

/** The result of growing objects. */
export interface Grown {
  /** One of the smallest of those that the new definition feels. */
  readonly trial?: Trial;
  readonly tried: number;
  /** Bytes of the largest object that was tried. */
  readonly largest: number;
}

/** Grows objects until one is felt, or the limit of the server or a bound of the schema is reached. */
export function growUntilFelt(source: TrialSource, bases: readonly Trial[], ask: (trial: Trial) => LargeAnswer): Grown {
  let [tried, largest, sum] = [0, 0, 0];
  const attempt = (trial: Trial | undefined): LargeAnswer | undefined => {
    const bytes = trial === undefined ? 0 : Buffer.byteLength(JSON.stringify(trial.object, exact));
    if (trial === undefined || bytes > MAX_OBJECT_BYTES || sum > MAX_BYTES_TRIED) return undefined;
    sum += bytes;
    const answer = ask(trial);
    if (answer.counted) [tried, largest] = [tried + 1, Math.max(largest, bytes)];
    return answer.counted ? answer : undefined;
  };
  for (const way of WAYS) {
    for (const base of bases.slice(0, MAX_BASES)) {
      const make = (count: number): Trial | undefined => grownTrial(source, base, { ...way, count });
      let below = 0;
      let last = '';
      for (let count = FIRST_COUNT; ; count = Math.ceil(1.5 * count)) {
        const trial = make(count);
        const text = trial === undefined ? last : JSON.stringify(trial.object, exact);
        // Bounds keep it from growing any further.
        if (text === last) break;
        last = text;
        const answer = attempt(trial);
        if (answer === undefined) break;
        if (answer.isFelt) {
          const smallest = bisect(below, count, (each) => attempt(make(each))?.isFelt === true);
          return { ...given(make(smallest)), tried, largest };
        }
        below = count;
      }
    }
  }
  return { tried, largest };
}

const given = (trial: Trial | undefined): Pick<Grown, 'trial'> => (trial === undefined ? {} : { trial });

/** Each trial takes long: a number is small enough where one that is a sixteenth less would not do. */
const PRECISION = 16;

/** A small number above `low`, and at most `high`, for which something holds that holds for all above it. */
function bisect(low: number, high: number, holds: (count: number) => boolean): number {
  let [below, above] = [low, high];
  while (above - below > 1 && above - below > above / PRECISION) {
    const middle = (below + above) >> 1;
    if (holds(middle)) above = middle;
    else below = middle;
  }
  return above;
}

function grownTrial({ maker, root, path, statusParts }: TrialSource, base: Trial, growth: Growth): Trial | undefined {
  const { apiVersion, kind, metadata, ...body } = base.object;
  const grown = grow(maker, root, body, path, growth);
  if (!isObject(grown)) return undefined;
  const object: JsonObject = { apiVersion, kind, metadata, ...grown };
  return asTrials(object, statusParts)[0];
}

const exact = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
