/** Allows the breaks in the allow file, and reports entries without effect. */

import type { AllowEntry, AllowFile } from './allow-file.js';
import type { Finding } from './finding.js';

/** An entry that lets nothing pass. */
export interface IdleEntry {
  readonly entry: AllowEntry;
  /** `expired`: its day is over, and it would have let something pass. `unused`: there is nothing that it names. */
  readonly why: 'expired' | 'unused';
}

export interface Applied {
  readonly findings: readonly Finding[];
  readonly idle: readonly IdleEntry[];
}

/** Marks what is allowed on a day, given as `2026-12-31`. */
export function applyAllow(findings: readonly Finding[], file: AllowFile | undefined, today: string): Applied {
  if (file === undefined) return { findings, idle: [] };
  const current = file.entries.filter((entry) => today <= entry.expires);
  const marked = findings.map((finding): Finding => {
    const entry = finding.severity === 'safe' ? undefined : current.find((each) => isAbout(each, finding));
    return entry === undefined ? finding : { ...finding, allowed: { reason: entry.reason, expires: entry.expires } };
  });
  const idle = file.entries.flatMap((entry): IdleEntry[] => {
    const isUsed = findings.some((finding) => finding.severity !== 'safe' && isAbout(entry, finding));
    if (!isUsed) return [{ entry, why: 'unused' }];
    return today <= entry.expires ? [] : [{ entry, why: 'expired' }];
  });
  return { findings: marked, idle };
}

function isAbout({ resource, version, path, keyword }: AllowEntry, { difference }: Finding): boolean {
  if (resource !== difference.resource || path !== difference.path || keyword !== difference.keyword) return false;
  return version === undefined || version === difference.version;
}

/** Returns the current day in UTC, as `2026-12-31`. */
export const today = (): string => new Date().toISOString().slice(0, 10);
