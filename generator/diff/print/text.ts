/** Prints a comparison for people. */
import { plural } from '../../diagnostics/print.js';
import type { IdleEntry } from '../allow-file.js';
import type { Finding, FindingPlace } from '../finding.js';
import { countOutcomes, groupOf, type Report, sortByGroup } from './report.js';
import { effectWords, subjectOf, witnessLines } from './words.js';

/** Returns the lines of a report: each finding, with its details indented below. */
export function printText(report: Report): readonly string[] {
  return [...sortByGroup(report.findings).flatMap(findingLines), ...idleLines(report)];
}

function findingLines(finding: Finding): readonly string[] {
  const { new: is, old, message, advice, witnesses, tried, reason, rule, allowed } = finding;
  const [place, other] = is === undefined ? [old, undefined] : [is, old];
  const proof = finding.severity === 'safe' && tried !== undefined ? ` (tried on ${plural(tried, 'object')})` : '';
  const first = `${placeOf(place)}${groupOf(finding)}: ${subjectOf(finding)}: ${message}${proof}`;
  if (finding.severity === 'safe') return [oneLine(first)];
  const lines = [
    `${finding.severity === 'break' ? 'breaks' : 'affects'}: ${affected(finding)} (rule ${rule})`,
    ...(reason === undefined ? [] : [`undecided: ${reason}; tried on ${plural(tried ?? 0, 'object')}`]),
    ...(allowed === undefined ? [] : [`allowed until ${allowed.expires}: ${allowed.reason}`]),
    ...(other === undefined ? [] : [`before: ${placeOf(other).trimEnd()}`]),
    ...(advice === undefined || allowed !== undefined ? [] : [`instead: ${advice}`]),
    ...(allowed === undefined ? witnesses.slice(0, 1).flatMap(witnessLines) : []),
  ];
  return [oneLine(first), ...lines.map((line) => `    ${oneLine(line)}`)];
}

const affected = (finding: Finding): string => effectWords(finding) || 'nobody known';

const placeOf = (place: FindingPlace | undefined): string =>
  place === undefined ? '' : `${place.file}:${place.line}:${place.column} `;

function idleLines({ idle, allowFile = '' }: Report): readonly string[] {
  return idle.map((each) => `${allowFile}:${each.entry.line}:1 ${idleWords(each)}`);
}

/** Returns why an entry of the allow file has no effect. */
export function idleWords({ entry, why, instead }: IdleEntry): string {
  const name = [entry.resource, entry.version, entry.path, entry.keyword].filter((part) => part).join(' ');
  return why === 'expired'
    ? `expired: the entry for ${name} was valid until ${entry.expires}; fix the break, or choose a later day`
    : `unused: no difference matches the entry for ${name}; ${instead ?? 'remove it'}`;
}

/** Returns the counts of all findings, as in `2 breaks, 1 safe; 1 of 12 resources differs`. */
export function summaryOf({ findings, resources, changed }: Report): string {
  if (findings.length === 0) return `no difference in ${plural(resources, 'resource')}`;
  const counts = countOutcomes(findings);
  const parts = [
    counts.break > 0 ? plural(counts.break, 'break') : '',
    counts.undecided > 0 ? `${counts.undecided} undecided` : '',
    counts.warning > 0 ? plural(counts.warning, 'warning') : '',
    counts.allowed > 0 ? `${counts.allowed} allowed` : '',
    counts.safe > 0 ? `${counts.safe} safe` : '',
  ];
  return `${parts.filter((part) => part !== '').join(', ')}; ${changed} of ${plural(resources, 'resource')} ${changed === 1 ? 'differs' : 'differ'}`;
}

/** Escapes characters that would break a line or control a terminal. */
const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => JSON.stringify(character).slice(1, -1));
