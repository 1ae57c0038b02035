/** A difference with its meaning: who is affected, by which rule, the proof, and what to do instead. */
import type { Difference, Effect, Witness } from './difference.js';
import type { Rule } from './rules/ruling.js';

/** How bad a difference is. `warning`: readers may meet what they need not have known. */
export type Severity = 'break' | 'undecided' | 'warning' | 'safe';

/** The place of a definition, or of a part of it, in a text. */
export interface FindingPlace {
  /** As people are to see it: from the working directory, or with the revision or server before it. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** Whether `file` is a path on this machine. */
  readonly isLocal: boolean;
}

/** Why a break is let pass. */
export interface Allowance {
  readonly reason: string;
  /** The last day on which it counts, as `2026-12-31`. */
  readonly expires: string;
}

export interface Finding {
  readonly difference: Difference;
  readonly severity: Severity;
  /** None where it is safe. */
  readonly effects: readonly Effect[];
  /** The rule of deprecation that it is judged by. */
  readonly rule: Rule;
  /** The difference and its effect, in words. */
  readonly message: string;
  /** A better way; absent where it is safe. */
  readonly advice?: string;
  /** Objects that show it. */
  readonly witnesses: readonly Witness[];
  /** Objects that it was tried on; absent where objects tell nothing of it. */
  readonly tried?: number;
  /** Why it could not be decided. */
  readonly reason?: string;
  readonly old?: FindingPlace;
  readonly new?: FindingPlace;
  readonly allowed?: Allowance;
}

/** Whether a finding keeps a change from being released. */
export const isBreak = ({ severity, allowed }: Finding): boolean => severity === 'break' && allowed === undefined;
