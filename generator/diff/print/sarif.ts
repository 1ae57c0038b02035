/** Prints a comparison as SARIF 2.1.0, the format for results of checks that code hosts read. */
import type { Finding, FindingPlace } from '../finding.js';
import { ruleFor } from '../rules/judge.js';
import { type Report, sortByGroup } from './report.js';
import { effectWords, printJson, subjectOf, witnessLines } from './words.js';

const levels: Readonly<Record<Finding['severity'], 'error' | 'warning' | 'note'>> = {
  break: 'error',
  undecided: 'warning',
  warning: 'warning',
  safe: 'note',
};

/** Prints one JSON document. Allowed findings are suppressed in it. */
export function printSarif({ findings }: Report): string {
  const sorted = sortByGroup(findings);
  const rules = [...new Map(sorted.map((finding) => [ruleId(finding), finding])).values()];
  return printJson(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'kindforge diff', rules: rules.map(describeRule) } },
          columnKind: 'unicodeCodePoints',
          results: sorted.map(result),
        },
      ],
    },
    true,
  );
}

const ruleId = ({ difference }: Finding): string => `kindforge/${difference.keyword}`;

const describeRule = (finding: Finding) => ({
  id: ruleId(finding),
  shortDescription: { text: `${finding.difference.keyword} differs` },
  help: { text: `Rule ${ruleFor(finding.difference).rule} of the deprecation rules.` },
});

function result(finding: Finding) {
  const { difference, severity, message, advice, witnesses, allowed, effects, rule, tried } = finding;
  const place = finding.new ?? finding.old;
  const text = [
    `${subjectOf(finding)}: ${message}`,
    ...(effects.length === 0 ? [] : [`${effectWords(finding)} (rule ${rule})`]),
    ...(advice === undefined ? [] : [`Instead: ${advice}`]),
    ...witnesses.flatMap(witnessLines),
  ];
  return {
    ruleId: ruleId(finding),
    level: levels[severity],
    kind: severity === 'safe' ? 'pass' : 'fail',
    message: { text: text.join('\n') },
    locations: place === undefined ? [] : [location(place)],
    relatedLocations: finding.new === undefined || finding.old === undefined ? [] : [location(finding.old)],
    partialFingerprints: { difference: [difference.resource, difference.version, difference.path].join(' ') },
    properties: { effects, rule, tried },
    ...(allowed === undefined ? {} : { suppressions: [{ kind: 'external', justification: allowed.reason }] }),
  };
}

const location = ({ file, line, column }: FindingPlace) => ({
  physicalLocation: {
    artifactLocation: { uri: encodeURI(file.replaceAll('\\', '/')) },
    region: { startLine: line, startColumn: column },
  },
});
