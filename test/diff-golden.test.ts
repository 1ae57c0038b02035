/**
 * Golden tests of `kindforge diff`: each folder of `test/golden/diff` holds two definitions (`old.yaml`, `new.yaml`), the
 * class of the worst difference, which was written by hand (`expected.json`), and the report (`report.txt`), which
 * `UPDATE_GOLDEN=1` writes.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { diffSides } from '../generator/diff/diff.js';
import type { Finding } from '../generator/diff/finding.js';
import { byOutcome, outcomeOf } from '../generator/diff/print/report.js';
import { printText } from '../generator/diff/print/text.js';
import { ruledKeys } from '../generator/diff/rules/resource-rules.js';
import { ruledKeywords } from '../generator/diff/rules/schema-rules.js';
import { readPath } from '../generator/diff/sides/read-side.js';
import type { Side } from '../generator/diff/sides/side.js';

const root = fileURLToPath(new URL('./golden/diff/', import.meta.url));
const cases = readdirSync(root).sort();

/** The class of a pair: that of its worst difference, with all who are affected by any as bad. */
interface Expected {
  readonly outcome: string;
  readonly effects: readonly string[];
}

function side(name: string, file: string): Side {
  const read = readPath(join(root, name, file));
  expect(read.definitions.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return { ...read, show: () => file };
}

const diff = (name: string): readonly Finding[] => diffSides(side(name, 'old.yaml'), side(name, 'new.yaml')).findings;

function classOf(findings: readonly Finding[]): Expected {
  const [worst] = byOutcome(findings);
  const outcome = worst === undefined ? 'none' : outcomeOf(worst);
  const bad = findings.filter((finding) => outcomeOf(finding) === outcome);
  const effects = ['writers', 'readers', 'stored', 'ownership', 'wire'].filter((effect) =>
    bad.some((finding) => finding.effects.some((each) => each === effect)),
  );
  return { outcome, effects };
}

describe.each(cases)('%s', (name) => {
  test('is judged as expected', () => {
    const findings = diff(name);
    const report = printText({ findings, idle: [], resources: 1, changed: 1 })
      // How many objects are tried is a matter of patience, and not of what is said.
      .map((line) => `${line.replace(/tried on \d+ objects/, 'tried on … objects')}\n`)
      .join('');
    const path = join(root, name, 'report.txt');
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(path, report);
    expect(classOf(findings)).toEqual(JSON.parse(readFileSync(join(root, name, 'expected.json'), 'utf8')));
    expect(report).toBe(existsSync(path) ? readFileSync(path, 'utf8') : undefined);
  });
});

test('a definition does not differ from itself', () => {
  for (const name of cases) {
    expect(diffSides(side(name, 'old.yaml'), side(name, 'old.yaml')).findings, name).toEqual([]);
  }
});

/** Numbers on the wire are compared with those of a lock, which single files have not. */
const withoutPair = ['protobuf'];

test('every keyword with a rule has a pair', () => {
  const shown = new Set(cases.flatMap((name) => diff(name).map(({ difference }) => difference.keyword)));
  expect([...ruledKeys, ...ruledKeywords].filter((keyword) => !shown.has(keyword))).toEqual(withoutPair);
});
