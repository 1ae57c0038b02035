/**
 * Golden tests of `kindforge diff`. Each file of `test/golden/diff` is a topic with cases, written like a diff:
 *
 *     @@ frame                            the lines that the definitions of the cases below share; theirs replace `…`
 *     @@ pattern added: break writers     a case: its name, and the worst outcome with all effects that are as bad
 *      size:                              a line of both definitions
 *     -  type: string                     a line of the old definition, `+` of the new
 *     | new.yaml:19:22 break: …           the report
 *
 * Outcomes and effects are written by hand; `UPDATE_GOLDEN=1` writes the reports.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { analyseFolder } from '../generator/check/load-definitions.js';
import { diffSides } from '../generator/diff/diff.js';
import type { Finding } from '../generator/diff/finding.js';
import { groupOf, sortByGroup } from '../generator/diff/print/report.js';
import { printText } from '../generator/diff/print/text.js';
import { ruledKeys } from '../generator/diff/rules/resource-rules.js';
import { ruledKeywords } from '../generator/diff/rules/schema-rules.js';
import type { Side } from '../generator/diff/sides/side.js';
import { folderOfBytes } from '../generator/load/load-folder.js';

const root = fileURLToPath(new URL('./golden/diff/', import.meta.url));

interface Case {
  readonly name: string;
  /** The outcome and effects of the worst differences: `break writers stored`. */
  readonly verdict: string;
  readonly old: string;
  readonly new: string;
  readonly report: readonly string[];
}

/** Splits a file into sections. The first line of each begins with `@@`. */
const sectionsOf = (text: string): readonly (readonly [head: string, ...lines: string[]])[] =>
  text.split(/^@@ /m).flatMap((section) => {
    const [head = '', ...lines] = section.split('\n').filter((line) => line !== '');
    return head === '' ? [] : [[head, ...lines]];
  });

/** Reads the cases of a file. Each belongs to the last frame above it. */
function readCases(text: string): readonly Case[] {
  let frame: readonly string[] = [];
  return sectionsOf(text).flatMap(([head, ...lines]) => {
    if (head === 'frame') {
      frame = lines.map((line) => line.slice(1));
      return [];
    }
    const [name = '', verdict = ''] = head.split(': ');
    const marked = (marks: string): readonly string[] =>
      lines.filter(([mark = '']) => marks.includes(mark)).map((line) => line.slice(1));
    const report = marked('|').map((line) => line.slice(1));
    return [{ name, verdict, old: fill(frame, marked(' -')), new: fill(frame, marked(' +')), report }];
  });
}

/** Puts lines in the place of `…`, with its indentation. */
function fill(frame: readonly string[], lines: readonly string[]): string {
  const filled = frame.flatMap((line) =>
    line.trim() === '…' ? lines.map((each) => `${line.slice(0, -1)}${each}`) : [line],
  );
  return filled.map((line) => `${line}\n`).join('');
}

/** Updates the reports of a file's cases. */
const withReports = (text: string, reportOf: (name: string) => readonly string[]): string =>
  text.replace(/^@@ (?!frame\n)(.*): .*\n(?:[-+ ].*\n)*(?:\|.*\n)*/gm, (section, name: string) =>
    [section.replace(/^\|.*\n/gm, ''), ...reportOf(name).map((line) => `| ${line}\n`)].join(''),
  );

function side(path: string, text: string): Side {
  const files = folderOfBytes([{ path, bytes: Buffer.from(text) }]);
  const definitions = analyseFolder(files, undefined, 'shape');
  expect(definitions.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return { name: path, definitions, extent: 'file', show: () => path, isLocal: true };
}

const diff = (each: Case): readonly Finding[] =>
  diffSides(side('old.yaml', each.old), side('new.yaml', each.new)).findings;

function verdictOf(findings: readonly Finding[]): string {
  const [worst] = sortByGroup(findings);
  const outcome = worst === undefined ? 'none' : groupOf(worst);
  const bad = findings.filter((finding) => groupOf(finding) === outcome);
  const effects = ['writers', 'readers', 'stored', 'ownership', 'wire'].filter((effect) =>
    bad.some((finding) => finding.effects.some((each) => each === effect)),
  );
  return [outcome, ...effects].join(' ');
}

/** Prints the findings, without the number of tried objects, which depends on the time limit. */
const reportOf = (findings: readonly Finding[]): readonly string[] =>
  printText({ findings, idle: [], resources: 1, changed: 1 }).map((line) =>
    line.replace(/tried on \d+ objects?/, 'tried on … objects'),
  );

const files = readdirSync(root).map((file) => {
  const text = readFileSync(`${root}${file}`, 'utf8');
  return { file, text, cases: readCases(text) };
});
const cases = files.flatMap((each) => each.cases);

describe.each(files)('$file', ({ file, text, cases }) => {
  test.each(cases)('judges $name as $verdict', (each) => {
    const findings = diff(each);
    expect(verdictOf(findings)).toBe(each.verdict);
    if (process.env.UPDATE_GOLDEN !== '1') expect(reportOf(findings)).toEqual(each.report);
  });

  test('keeps the text of a file when its reports are the same', () => {
    const report = (name: string) => cases.filter((each) => each.name === name).flatMap((each) => each.report);
    expect(withReports(text, report)).toBe(text);
    if (process.env.UPDATE_GOLDEN !== '1') return;
    const printed = new Map(cases.map((each) => [each.name, reportOf(diff(each))]));
    writeFileSync(
      `${root}${file}`,
      withReports(text, (name) => printed.get(name) ?? []),
    );
  });
});

test('names each case once', () => {
  const names = cases.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  expect(names.length).toBeGreaterThan(130);
});

test('a definition does not differ from itself', () => {
  for (const each of cases) expect(diff({ ...each, new: each.old }), each.name).toEqual([]);
});

/** Numbers on the wire are compared with a lock, and single files do not have a lock. */
const withoutPair = ['protobuf'];

test('every keyword with a rule has a pair', () => {
  const shown = new Set(cases.flatMap((each) => diff(each).map(({ difference }) => difference.keyword)));
  expect([...ruledKeys, ...ruledKeywords].filter((keyword) => !shown.has(keyword))).toEqual(withoutPair);
});
