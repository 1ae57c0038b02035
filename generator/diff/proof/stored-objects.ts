/** Tries the user's own objects on both definitions, and finds the difference that causes each effect. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import type { DiffedVersion } from '../difference.js';
import { withDifference } from './apply-difference.js';
import { Definition, type DefinitionParts, partsOf } from './definition.js';
import { type Pair, type Shown, type Trial, tryOn } from './effects.js';
import type { PlacedDifference } from './place.js';
import { asTrials } from './trials.js';
import { sizeOf } from './values/value-text.js';

/** An object with the effects of all differences together. */
interface Tried {
  readonly trial: Trial;
  readonly shown: Shown;
}

/** Tries objects once for all differences of two definitions. */
export class StoredObjects {
  private readonly parts: { readonly old: DefinitionParts; readonly new: DefinitionParts };
  private tried: { readonly pair: Pair; readonly objects: readonly Tried[] } | undefined;

  /** Only uses the `objects` of the old version. */
  constructor(
    old: DiffedVersion,
    later: DiffedVersion,
    private readonly objects: readonly JsonObject[],
  ) {
    this.parts = { old: partsOf(old), new: partsOf(later) };
  }

  /**
   * Returns the effects of one difference on the objects, each with its smallest object, and how many objects were
   * tried.
   */
  effectsOf(difference: PlacedDifference): { readonly witnesses: Shown['witnesses']; readonly tried: number } {
    if (this.objects.length === 0) return { witnesses: {}, tried: 0 };
    this.tried ??= this.tryAll();
    const { pair, objects } = this.tried;
    const witnesses: Shown['witnesses'] = {};
    const affected = objects.filter(({ shown }) => Object.keys(shown.witnesses).length > 0);
    const [schema, other] = [this.parts.old.schema, this.parts.new.schema];
    if (affected.length > 0) {
      const alone = new Definition({ ...this.parts.new, schema: withDifference(schema, other, difference) });
      const without = new Definition({ ...this.parts.new, schema: withDifference(other, schema, difference) });
      for (const { trial, shown } of affected) {
        for (const effect of ['writers', 'stored'] as const) {
          const witness = shown.witnesses[effect];
          if (witness === undefined || witnesses[effect] !== undefined) continue;
          const changes = (later: Definition): boolean =>
            tryOn({ old: pair.old, new: later }, trial).witnesses[effect]?.new.accepted === witness.new.accepted;
          if (changes(alone) || !changes(without)) witnesses[effect] = witness;
        }
      }
    }
    return { witnesses, tried: objects.filter(({ shown }) => shown.counted).length };
  }

  private tryAll(): { readonly pair: Pair; readonly objects: readonly Tried[] } {
    const { old, new: later } = this.parts;
    const pair = { old: new Definition(old), new: new Definition(later) };
    const own = this.objects.filter(({ apiVersion, kind }) => apiVersion === old.apiVersion && kind === old.kind);
    const objects = [...own]
      .sort((a, b) => sizeOf(a) - sizeOf(b))
      .flatMap((object) => asTrials(object, old.statusParts))
      .map((trial): Tried => ({ trial, shown: tryOn(pair, trial) }));
    return { pair, objects };
  }
}
