/** A report has the same content in every format. */
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../../../generator/diff/finding.js';
import { printGitHub } from '../../../../../generator/diff/print/github.js';
import { printAsJson } from '../../../../../generator/diff/print/json.js';
import { isRefused, type Report } from '../../../../../generator/diff/print/report.js';
import { printSarif } from '../../../../../generator/diff/print/sarif.js';
import { printText, summaryOf } from '../../../../../generator/diff/print/text.js';

const place = (file: string, line: number) => ({ file, line, column: 3, isLocal: true });

const broken: Finding = {
  difference: {
    resource: 'lamps.example.com',
    version: 'v1',
    path: 'spec.size',
    keyword: 'maximum',
    node: ['properties', 'spec'],
    old: 9007199254740993n,
    new: 5,
  },
  severity: 'break',
  effects: ['writers', 'stored'],
  rule: '1',
  message: '`maximum` is 5, and 100% less',
  advice: 'keep it',
  witnesses: [
    {
      effect: 'writers',
      object: { spec: { size: 6 } },
      old: { accepted: true, object: { spec: { size: 6 } } },
      new: { accepted: false, causes: ['too\nmuch'] },
    },
  ],
  old: place('old,a.yaml', 4),
  new: place('new:a.yaml', 7),
};
const open: Finding = { ...broken, severity: 'undecided', effects: [], reason: 'rules', tried: 7, witnesses: [] };
const safe: Finding = { ...broken, severity: 'safe', effects: [], tried: 100, witnesses: [] };
const allowed: Finding = { ...broken, allowed: { reason: 'agreed', expires: '2026-12-31' } };

const report: Report = { findings: [safe, allowed, open, broken], resources: 3, changed: 1, idle: [] };

test('prints text with the worst first, both places, the advice and the witness', () => {
  expect(printText(report)).toEqual([
    'new:a.yaml:7:3 break: lamps.example.com v1 spec.size: `maximum` is 5, and 100% less',
    '    breaks: clients that write, stored objects (rule 1)',
    '    before: old,a.yaml:4:3',
    '    instead: keep it',
    '    object: {"spec":{"size":6}}',
    '    old: accepted as it is',
    '    new: refused: too\\nmuch',
    'new:a.yaml:7:3 undecided: lamps.example.com v1 spec.size: `maximum` is 5, and 100% less',
    '    affects: nobody known (rule 1)',
    '    undecided: rules; tried on 7 objects',
    '    before: old,a.yaml:4:3',
    '    instead: keep it',
    'new:a.yaml:7:3 allowed: lamps.example.com v1 spec.size: `maximum` is 5, and 100% less',
    '    breaks: clients that write, stored objects (rule 1)',
    '    allowed until 2026-12-31: agreed',
    '    before: old,a.yaml:4:3',
    'new:a.yaml:7:3 safe: lamps.example.com v1 spec.size: `maximum` is 5, and 100% less (tried on 100 objects)',
  ]);
  expect(summaryOf(report)).toBe('1 break, 1 undecided, 1 allowed, 1 safe; 1 of 3 resources differs');
  expect(summaryOf({ ...report, findings: [] })).toBe('no difference in 3 resources');
});

test('prints JSON with every finding, and integers in full', () => {
  const text = printAsJson(report);
  expect(text).toContain('"before": 9007199254740993');
  const parsed = JSON.parse(text);
  expect(parsed.counts).toEqual({ break: 1, undecided: 1, warning: 0, allowed: 1, safe: 1 });
  expect(parsed.findings.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'break',
    'undecided',
    'allowed',
    'safe',
  ]);
  expect(parsed.findings[0]).toMatchObject({
    resource: 'lamps.example.com',
    keyword: 'maximum',
    effects: ['writers', 'stored'],
    old: { file: 'old,a.yaml', line: 4, column: 3 },
    witnesses: [{ new: { accepted: false } }],
  });
});

test('escapes characters in annotations that GitHub would interpret', () => {
  const [first = '', second = '', ...more] = printGitHub(report);
  expect(first).toContain('::error file=new%3Aa.yaml,line=7,col=3,title=kindforge diff%3A break::lamps.example.com');
  expect(first).toContain('100%25 less%0A');
  expect(first).not.toContain('\n');
  expect(second).toMatch(/^::warning /);
  expect(more).toEqual([]);
  const remote = { ...broken, new: { ...place('main:a.yaml', 1), isLocal: false } };
  expect(printGitHub({ ...report, findings: [remote] })[0]).toContain('file=old%2Ca.yaml,line=4');
});

test('has levels, both places, and allowed breaks as suppressed in SARIF', () => {
  const { version, runs } = JSON.parse(printSarif(report));
  expect(version).toBe('2.1.0');
  const [run] = runs;
  expect(run.results.map(({ level }: { level: string }) => level)).toEqual(['error', 'warning', 'error', 'note']);
  expect(run.results[0].locations[0].physicalLocation.region).toEqual({ startLine: 7, startColumn: 3 });
  expect(run.results[0].relatedLocations[0].physicalLocation.artifactLocation.uri).toBe('old,a.yaml');
  expect(run.results[2].suppressions).toEqual([{ kind: 'external', justification: 'agreed' }]);
  const ids = run.tool.driver.rules.map(({ id }: { id: string }) => id);
  for (const { ruleId } of run.results) expect(ids).toContain(ruleId);
});

describe('a report is refused', () => {
  test.each<[Finding, boolean, boolean]>([
    [broken, true, true],
    [open, false, true],
    [allowed, false, false],
    [safe, false, false],
  ])('%#', (finding, refused, strictly) => {
    expect(isRefused({ findings: [finding] }, false)).toBe(refused);
    expect(isRefused({ findings: [finding] }, true)).toBe(strictly);
  });
});
