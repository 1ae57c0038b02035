/** Prints a comparison for programs. */

import { countOutcomes, groupOf, type Report, sortByGroup } from './report.js';
import { printJson } from './words.js';

/** Prints one JSON document. Later releases only add keys. */
export function printAsJson({ findings, resources, changed, allowFile, idle }: Report): string {
  return printJson(
    {
      resources,
      changed,
      counts: countOutcomes(findings),
      findings: sortByGroup(findings).map((finding) => ({
        outcome: groupOf(finding),
        severity: finding.severity,
        resource: finding.difference.resource,
        version: finding.difference.version,
        path: finding.difference.path,
        keyword: finding.difference.keyword,
        effects: finding.effects,
        rule: finding.rule,
        message: finding.message,
        advice: finding.advice,
        tried: finding.tried,
        reason: finding.reason,
        before: finding.difference.old,
        after: finding.difference.new,
        witnesses: finding.witnesses.length === 0 ? undefined : finding.witnesses,
        old: placeOf(finding.old),
        new: placeOf(finding.new),
        allowed: finding.allowed,
      })),
      allowFile,
      idle: idle.map(({ entry, why, instead }) => ({ why, ...entry, instead })),
    },
    true,
  );
}

const placeOf = (place: { readonly file: string; readonly line: number; readonly column: number } | undefined) =>
  place && { file: place.file, line: place.line, column: place.column };
