/** The rules of schemas that an update need not follow where the stored definition breaks them. */

/** Rules that an update does not ask for where the stored definition breaks them already. */
export interface SchemaRatchets {
  /** Types are among those that there are. */
  readonly requireKnownTypes: boolean;
  /** Schemas are structural. */
  readonly requireStructure: boolean;
  /** Defaults hold no fields that their schema does not know; asked only where one does, since the answer is dear. */
  readonly requirePrunedDefaults: () => boolean;
  /** Items of sets are atomic. */
  readonly requireAtomicSets: boolean;
  /** Keys of lists of type `map` are always there. */
  readonly requireListKeys: boolean;
  /** No single rule may cost too much; versions whose schema an update leaves alone keep theirs. */
  readonly requireCheapRules: boolean;
}

/** Everything is asked for, as of a new definition. */
export const allRequired: SchemaRatchets = {
  requireKnownTypes: true,
  requireStructure: true,
  requirePrunedDefaults: () => true,
  requireAtomicSets: true,
  requireListKeys: true,
  requireCheapRules: true,
};
