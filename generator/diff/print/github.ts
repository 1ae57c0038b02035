/** Prints a comparison as annotations of GitHub Actions: they appear at the lines of a pull request. */
import type { Finding } from '../finding.js';
import { type Report, sortByGroup } from './report.js';
import { idleWords } from './text.js';
import { effectWords, subjectOf, witnessLines } from './words.js';

const levels: Readonly<Record<Finding['severity'], 'error' | 'warning' | undefined>> = {
  break: 'error',
  undecided: 'warning',
  warning: 'warning',
  safe: undefined,
};

/**
 * Prints an annotation for each finding that is neither safe nor allowed, and for each unused entry of the allow file.
 */
export function printGitHub({ findings, idle, allowFile = '' }: Report): readonly string[] {
  return [
    ...sortByGroup(findings).flatMap((finding) => annotation(finding) ?? []),
    ...idle.map((each) => `::warning file=${property(allowFile)},line=${each.entry.line}::${data(idleWords(each))}`),
  ];
}

function annotation(finding: Finding): string | undefined {
  const level = levels[finding.severity];
  if (level === undefined || finding.allowed !== undefined) return undefined;
  const { message, advice, rule, witnesses, reason } = finding;
  const place = [finding.new, finding.old].find((each) => each?.isLocal === true);
  const where = place === undefined ? '' : `file=${property(place.file)},line=${place.line},col=${place.column},`;
  const lines = [
    `${subjectOf(finding)}: ${message}`,
    `${effectWords(finding)} (rule ${rule})`,
    ...(reason === undefined ? [] : [`undecided: ${reason}`]),
    ...(advice === undefined ? [] : [`instead: ${advice}`]),
    ...witnesses.flatMap(witnessLines),
  ];
  return `::${level} ${where}title=${property(`kindforge diff: ${finding.severity}`)}::${data(lines.join('\n'))}`;
}

/** Escapes the text after the double colon. */
const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** Escapes the text of a property. Commas and colons have a meaning there, too. */
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
