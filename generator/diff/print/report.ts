/** A comparison as all formats report it. */
import type { IdleEntry } from '../allow-file.js';
import { type Finding, isBreak, type Severity } from '../finding.js';

export interface Report {
  /** The worst first; equally bad findings in the order of the definitions. */
  readonly findings: readonly Finding[];
  /** Resources that were compared, and how many of them differ. */
  readonly resources: number;
  readonly changed: number;
  /** Path of the allow file, if there is one, and its entries without effect. */
  readonly allowFile?: string;
  readonly idle: readonly IdleEntry[];
}

/** The groups of findings for counting; allowed findings are a group of their own. */
export type FindingGroup = Severity | 'allowed';

export const groupOf = (finding: Finding): FindingGroup =>
  finding.allowed === undefined ? finding.severity : 'allowed';

const order: readonly FindingGroup[] = ['break', 'undecided', 'warning', 'allowed', 'safe'];

/** Sorts findings, the worst first. */
export function sortByGroup(findings: readonly Finding[]): readonly Finding[] {
  return order.flatMap((outcome) => findings.filter((finding) => groupOf(finding) === outcome));
}

/** Counts the findings of each outcome. */
export function countOutcomes(findings: readonly Finding[]): Readonly<Record<FindingGroup, number>> {
  const count = (outcome: FindingGroup): number => findings.filter((finding) => groupOf(finding) === outcome).length;
  return {
    break: count('break'),
    undecided: count('undecided'),
    warning: count('warning'),
    allowed: count('allowed'),
    safe: count('safe'),
  };
}

/** Returns whether a comparison fails: for breaks, and in strict mode also for undecided findings. */
export function isRefused({ findings }: Pick<Report, 'findings'>, strict: boolean): boolean {
  const isOpen = ({ severity, allowed }: Finding): boolean => severity !== 'safe' && allowed === undefined;
  return findings.some((finding) => isBreak(finding) || (strict && isOpen(finding)));
}
