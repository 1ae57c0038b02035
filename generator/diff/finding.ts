/** A difference with its meaning: who is affected, by which rule, the proof, and what to do instead. */
import type { Difference, Effect, Witness } from './difference.js';
import type { Rule } from './rules/ruling.js';

/** How bad a difference is. `warning`: readers may get values that they do not know. */
export type Severity = 'break' | 'undecided' | 'warning' | 'safe';

/** The place of a definition, or of a part of it, in a text. */
export interface FindingPlace {
  /** The path to print: from the working directory, or after the revision or server. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** Whether `file` is a path on this machine. */
  readonly isLocal: boolean;
}

/** The reason for allowing a break. */
export interface Allowance {
  readonly reason: string;
  /** The last day on which it counts, as `2026-12-31`. */
  readonly expires: string;
}

export interface Finding {
  readonly difference: Difference;
  readonly severity: Severity;
  /** Empty if it is safe. */
  readonly effects: readonly Effect[];
  /** The rule of deprecation that judges it. */
  readonly rule: Rule;
  /** The difference and its effect, in words. */
  readonly message: string;
  /** The advice for a better way; absent if it is safe. */
  readonly advice?: string;
  readonly witnesses: readonly Witness[];
  /** The number of objects that were tried; absent if objects cannot show the difference. */
  readonly tried?: number;
  /** The reason for an undecided verdict. */
  readonly reason?: string;
  readonly old?: FindingPlace;
  readonly new?: FindingPlace;
  readonly allowed?: Allowance;
}

/** Returns whether a finding blocks a release. */
export const isBreak = ({ severity, allowed }: Finding): boolean => severity === 'break' && allowed === undefined;
