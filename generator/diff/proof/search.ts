/** Searches for objects that one difference affects, and judges the difference by them. */
import type { JsonObject, JsonValue, Schema } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import type { DiffedVersion, OwnershipTrial, Verdict, Witness } from '../difference.js';
import { acceptsValue } from './accepts-value.js';
import { withDifference } from './apply-difference.js';
import { addsCost, growUntilFelt, mayExceedBudget } from './budget.js';
import { Definition, partsOf } from './definition.js';
import { isAccepted, newlySeenOn, type Pair, type Shown, type ShownEffect, type Trial, tryOn } from './effects.js';
import { Narrowing, type Sides } from './narrow.js';
import { compareOwnership } from './ownership.js';
import { type PlacedDifference, pathOfEffect } from './place.js';
import { shrink } from './shrink.js';
import { StoredObjects } from './stored-objects.js';
import { asTrials, chanceTrials, reaches, type TrialSource, trialsAt, trialsWithin } from './trials.js';
import { undecidable } from './undecidable.js';
import { rootSchemas } from './values/place-schemas.js';
import { ValueMaker } from './values/value-maker.js';
import { sizeOf } from './values/value-text.js';
import { isWidening } from './widening.js';

/** The parts of a search that do not depend on the difference. */
export interface SharedByDifferences {
  readonly narrowing: Narrowing;
  readonly makers: Readonly<Record<'old' | 'new', ValueMaker>>;
  readonly objects: StoredObjects;
}

/** Prepares searches for the differences of two definitions. */
export function shareByDifferences(
  old: DiffedVersion,
  later: DiffedVersion,
  objects: readonly JsonObject[],
): SharedByDifferences {
  return {
    narrowing: new Narrowing({ old: old.version.schema, new: later.version.schema }),
    makers: {
      old: new ValueMaker(acceptsValue(old.resource.decoding)),
      new: new ValueMaker(acceptsValue(later.resource.decoding)),
    },
    objects: new StoredObjects(old, later, objects),
  };
}

/** Maximum number of objects to write over each other, for rules about changes. */
const PAIRED = 24;

/** The result of a search. */
interface Found {
  readonly witnesses: Shown['witnesses'];
  readonly tried: number;
  /** Whether one of the objects has a value at the place. */
  readonly isReached: boolean;
  /** The reason that rules may cost too much although no such object was found. */
  readonly costly?: string;
}

/** Maximum number of values of a place to try if the difference only widens what is accepted. */
const FEW = 24;

/** The search for witnesses of one difference. */
export class Search {
  private readonly sides: Sides;
  private readonly pair: Pair;
  private readonly isOnly: boolean;
  private found: Found | undefined;
  private hybrids: { readonly with: Definition; readonly without: Definition } | undefined;

  constructor(
    private readonly old: DiffedVersion,
    private readonly later: DiffedVersion,
    private readonly difference: PlacedDifference,
    private readonly shared: SharedByDifferences,
    private readonly runs: number,
  ) {
    this.sides = shared.narrowing.to(difference.segments);
    this.pair = { old: this.define('old', this.oldSchema), new: this.define('new', this.newSchema) };
    const applied = withDifference(this.oldSchema, this.newSchema, difference);
    this.isOnly = equal(asJson(applied), asJson(this.newSchema));
  }

  private get oldSchema(): Schema {
    return this.sides.old ?? {};
  }

  private get newSchema(): Schema {
    return this.sides.new ?? {};
  }

  /** Returns the meaning of the difference for writers and for stored objects. */
  verdict(): Verdict {
    this.found ??= this.look();
    const { witnesses, tried, isReached, costly } = this.found;
    const { writers, stored } = witnesses;
    const effects: ShownEffect[] = [...(writers ? ['writers' as const] : []), ...(stored ? ['stored' as const] : [])];
    const [witness, ...further] = [writers, stored].flatMap((each) => each ?? []);
    if (witness !== undefined) return { kind: 'break', effects, witness, ...(further.length > 0 ? { further } : {}) };
    const reasons = [undecidable(this.difference, this.sides, isReached), costly].filter((each) => each !== undefined);
    const reason = reasons.length === 0 ? undefined : reasons.join('; ');
    return reason === undefined ? { kind: 'safe', tried } : { kind: 'undecided', tried, reason };
  }

  /** Returns an object that readers do not expect. */
  newlySeen(): Witness | undefined {
    const turned: Pair = this.pair;
    const source = this.source('new');
    const isValid = (trial: Trial): boolean => isAccepted(turned.new, trial);
    for (const trial of trialsAt(source, isValid)) {
      const witness = newlySeenOn(turned, trial);
      if (witness === undefined || !this.isSeenBecause(trial)) continue;
      const isTrue = (object: JsonObject): boolean =>
        asTrials(object, source.statusParts).some(
          (each) => newlySeenOn(turned, each) !== undefined && this.isSeenBecause(each),
        );
      const [small = trial] = asTrials(shrink(trial.object, isTrue), source.statusParts);
      return newlySeenOn(turned, small) ?? witness;
    }
    return undefined;
  }

  /**
   * Returns an object with fields that get other owners. Fields of a subresource also follow the rules of the whole
   * object.
   */
  ownedOtherwise(): OwnershipTrial {
    const owned = compareOwnership(this.oldSchema, this.newSchema, this.old.resource.decoding);
    const witnessOf = (object: JsonObject): Witness | undefined => {
      const [old, later] = [this.pair.old.create(object), this.pair.new.create(object)];
      const fields = old.accepted && later.accepted && old.pruned.length === 0 ? owned(object) : undefined;
      if (!old.accepted || !later.accepted || fields === undefined) return undefined;
      const answers = {
        old: { accepted: true, object: old.object },
        new: { accepted: true, object: later.object },
      } as const;
      return { effect: 'ownership', object, ...answers, owned: fields };
    };
    let tried = 0;
    for (const { object } of trialsAt(this.source('old'), (trial) => isAccepted(this.pair.old, trial))) {
      tried++;
      if (witnessOf(object) === undefined) continue;
      const witness = witnessOf(shrink(object, (smaller) => witnessOf(smaller) !== undefined));
      return { tried, ...(witness ? { witness } : {}) };
    }
    return { tried };
  }

  private look(): Found {
    const own = this.shared.objects.effectsOf(this.difference);
    const witnesses: Shown['witnesses'] = { ...own.witnesses };
    const wanted: readonly ShownEffect[] = this.old.version.storage ? ['writers', 'stored'] : ['writers'];
    let { tried } = own;
    const way = pathOfEffect(this.difference);
    const counted: Trial[] = [];
    const found = (): Found => ({ witnesses, tried, isReached: counted.some((trial) => reaches(trial, way)) });
    if (wanted.every((effect) => witnesses[effect] !== undefined)) return found();
    for (const trials of this.batches()) {
      for (const trial of trials) {
        const shown = tryOn(this.pair, trial);
        if (!shown.counted) continue;
        tried++;
        counted.push(trial);
        for (const effect of wanted) {
          if (witnesses[effect] !== undefined || shown.witnesses[effect] === undefined) continue;
          if (this.isBecause(trial, effect))
            witnesses[effect] = this.smallest(trial, effect) ?? shown.witnesses[effect];
        }
        if (wanted.every((effect) => witnesses[effect] !== undefined)) return found();
      }
      if (wanted.some((effect) => witnesses[effect] !== undefined)) return found();
    }
    return this.lookAtLarge(found(), counted, wanted);
  }

  /** Searches for objects that make a new or changed rule cost too much. */
  private lookAtLarge(found: Found, counted: readonly Trial[], wanted: readonly ShownEffect[]): Found {
    const { difference, sides } = this;
    if (!addsCost(difference) || isWidening(difference, sides)) return found;
    if (!mayExceedBudget(this.newSchema) && !mayExceedBudget(this.later.version.schema)) return found;
    const bases = basesAmong(counted.filter((trial) => isAccepted(this.pair.new, trial)));
    const { trial, tried, largest } = growUntilFelt(this.source('old'), bases, (each) => {
      const isCounted = isAccepted(this.pair.old, each);
      return { counted: isCounted, isFelt: isCounted && !isAccepted(this.pair.new, each) };
    });
    const { witnesses = {} } = trial === undefined ? {} : tryOn(this.pair, trial);
    const isFelt = wanted.some((effect) => witnesses[effect] !== undefined && trial && this.isBecause(trial, effect));
    const all = { ...found, tried: found.tried + tried };
    if (isFelt) return { ...all, witnesses };
    const costly =
      'the estimated cost of the rules is above the limit of the server, but no object was found that exceeds it ' +
      `(the largest has ${largest} bytes)`;
    return { ...all, costly };
  }

  /** Yields trials in batches. Later batches are for differences that earlier batches do not show. */
  private *batches(): Generator<Iterable<Trial>> {
    const source = this.source('old');
    const isValid = (trial: Trial): boolean => isAccepted(this.pair.old, trial);
    // A difference that refuses nothing gets fewer trials: they only check that it really refuses nothing.
    const isWider = isWidening(this.difference, this.sides);
    const made = trialsAt(source, isValid, isWider ? FEW : undefined);
    yield made;
    const valid = made.filter(isValid);
    if (this.isAboutChanges) yield this.pairsOf(valid);
    const chosen: Trial[] = [];
    yield this.byChance(source, isWider ? Math.ceil(this.runs / 5) : this.runs, (trial) => {
      const isCounted = isValid(trial);
      if (isCounted) chosen.push(trial);
      return isCounted;
    });
    if (valid.length > 0 || isWider) return;
    // If no object could be made for the place, puts its values into random objects.
    yield trialsWithin(source, chosen);
    if (this.isAboutChanges) yield this.pairsOf(chosen);
  }

  private *byChance(source: TrialSource, runs: number, isValid: (trial: Trial) => boolean): Generator<Trial> {
    const chance = chanceTrials(source);
    for (let count = 0, made = 0; count < runs && made < 4 * runs; made++) {
      const { value } = chance.next();
      if (value === undefined) return;
      if (isValid(value)) count++;
      yield value;
    }
  }

  /** Yields updates: writes each of some objects over each of the others. An object without a status removes it. */
  private *pairsOf(trials: readonly Trial[]): Generator<Trial> {
    const { statusParts } = partsOf(this.old);
    const some = spread(trials, PAIRED);
    for (const { object: before } of some) {
      const hasStatus = statusParts.some((part) => before[part] !== undefined);
      for (const other of some) {
        const pair: Trial = { ...other, before, object: { ...other.object, metadata: before.metadata ?? null } };
        yield pair;
        if (hasStatus && pair.through === undefined) yield { ...pair, through: 'status' };
      }
    }
  }

  private get isAboutChanges(): boolean {
    const { keyword, old, new: later } = this.difference;
    const isRule =
      keyword === 'x-kubernetes-validations' && /\boldSelf\b/.test(JSON.stringify([old ?? null, later ?? null]));
    return isRule || keyword === 'x-kindforge-immutable';
  }

  private source(side: 'old' | 'new'): TrialSource {
    const { old, new: later } = this.sides;
    const root = side === 'old' ? rootSchemas(old, later) : rootSchemas(later, old);
    const of = side === 'old' ? this.old : this.later;
    const { statusParts, apiVersion, kind } = partsOf(of);
    const head = { apiVersion, kind, metadata: { name: 'a' } };
    return { maker: this.shared.makers[side], root, path: this.difference.segments, statusParts, head };
  }

  /** Returns whether this difference causes an effect on an object, rather than another difference. */
  private isBecause(trial: Trial, effect: ShownEffect): boolean {
    if (this.isOnly) return true;
    const { with: applied, without } = this.hybrid();
    const isAccepted = tryOn(this.pair, trial).witnesses[effect]?.new.accepted;
    const changes = (later: Definition): boolean =>
      tryOn({ old: this.pair.old, new: later }, trial).witnesses[effect]?.new.accepted === isAccepted;
    return changes(applied) || !changes(without);
  }

  private isSeenBecause(trial: Trial): boolean {
    if (this.isOnly) return true;
    const { with: applied, without } = this.hybrid();
    if (newlySeenOn({ old: this.pair.old, new: applied }, trial) !== undefined) return true;
    return newlySeenOn({ old: without, new: this.pair.new }, trial) !== undefined;
  }

  private hybrid(): { readonly with: Definition; readonly without: Definition } {
    this.hybrids ??= {
      with: this.define('new', withDifference(this.oldSchema, this.newSchema, this.difference)),
      without: this.define('new', withDifference(this.newSchema, this.oldSchema, this.difference)),
    };
    return this.hybrids;
  }

  private define(side: 'old' | 'new', schema: Schema): Definition {
    return new Definition(partsOf(side === 'old' ? this.old : this.later, schema));
  }

  private smallest(trial: Trial, effect: ShownEffect): Witness | undefined {
    const { statusParts } = partsOf(this.old);
    const trialOf = (object: JsonObject): Trial | undefined => {
      const { before, through } = trial;
      const isPaired = through === undefined || statusParts.some((part) => before?.[part] !== undefined);
      return before !== undefined && isPaired ? { ...trial, object } : asTrials(object, statusParts)[0];
    };
    const witnessOf = (object: JsonObject): Witness | undefined => {
      const smaller = trialOf(object);
      const witness = smaller && tryOn(this.pair, smaller).witnesses[effect];
      return smaller !== undefined && witness !== undefined && this.isBecause(smaller, effect) ? witness : undefined;
    };
    return witnessOf(shrink(trial.object, (object) => witnessOf(object) !== undefined));
  }
}

/** Returns objects to enlarge: the smallest, and those with the most in them. */
function basesAmong(trials: readonly Trial[]): readonly Trial[] {
  const creates = trials.filter(({ before, through }) => before === undefined || through !== undefined);
  const bySize = [...creates].sort((a, b) => sizeOf(a.object) - sizeOf(b.object));
  return [...new Set([bySize.at(-1), bySize.at(bySize.length >> 1), bySize[0]])].flatMap((each) => each ?? []);
}

/**
 * Returns some of many values: half of them are the first, which are the smallest; the others are spread over the rest.
 */
function spread<T>(values: readonly T[], count: number): readonly T[] {
  const rest = values.slice(count / 2);
  const step = Math.max(1, rest.length / (count / 2));
  return [
    ...values.slice(0, count / 2),
    ...rest.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step)),
  ];
}

const asJson = (schema: Schema): JsonValue =>
  JSON.parse(JSON.stringify(schema, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)));
