/** The allow file accepts single breaks until a day, and reports unused entries. */
import { describe, expect, test } from 'vitest';
import { applyAllow, readAllowFile } from '../../../../../generator/diff/allow-file.js';
import type { Finding } from '../../../../../generator/diff/finding.js';
import { idleWords } from '../../../../../generator/diff/print/text.js';

const entry = (more = ''): string =>
  `allow:\n  - resource: lamps.example.com\n    path: spec.size\n    keyword: maxLength\n    reason: why not\n    expires: 2026-06-30\n${more}`;

const finding = (severity: Finding['severity'], version = 'v1', path = 'spec.size'): Finding => ({
  difference: { resource: 'lamps.example.com', version, path, keyword: 'maxLength', node: [] },
  severity,
  effects: ['writers'],
  rule: '1',
  message: '',
  witnesses: [],
});

describe('the file', () => {
  test('is read with its lines', () => {
    const { entries, problems } = readAllowFile('allow.yaml', entry('    version: v1\n'));
    expect(problems).toEqual([]);
    expect(entries).toEqual([
      {
        resource: 'lamps.example.com',
        version: 'v1',
        path: 'spec.size',
        keyword: 'maxLength',
        reason: 'why not',
        expires: '2026-06-30',
        line: 2,
      },
    ]);
  });

  test.each([
    ['allow: {}', 'the file must have a list `allow`'],
    ['- a', 'the file must have a list `allow`'],
    ['allow: [a]', 'an entry must be a mapping'],
    [entry('    because: x\n'), 'unknown key `because`; resource, version, path, keyword, reason, expires'],
    [entry().replace('2026-06-30', '2026-02-30'), '`2026-02-30` is not a date; write it as 2026-12-31'],
    [entry().replace('    reason: why not\n', ''), 'the entry has no `reason`'],
    ['allow: [', 'flow sequence in block collection must be sufficiently indented and end with a ]'],
  ])('%j is refused', (text, message) => {
    const { entries, problems } = readAllowFile('allow.yaml', text);
    expect(problems.map((problem) => problem.message)).toEqual([message]);
    expect(entries).toEqual([]);
  });

  test('may be empty', () => {
    expect(readAllowFile('allow.yaml', '')).toMatchObject({ entries: [], problems: [] });
    expect(readAllowFile('allow.yaml', 'allow: []')).toMatchObject({ entries: [], problems: [] });
  });
});

describe('an entry', () => {
  const apply = (findings: readonly Finding[], day: string, more = '') => {
    const { findings: marked, idle } = applyAllow(findings, readAllowFile('allow.yaml', entry(more)), day);
    return { allowed: marked.map(({ allowed }) => allowed !== undefined), idle: idle.map(({ why }) => why) };
  };

  test('allows the breaks that it names, until its last day', () => {
    expect(apply([finding('break')], '2026-06-30')).toEqual({ allowed: [true], idle: [] });
    expect(apply([finding('break')], '2026-07-01')).toEqual({ allowed: [false], idle: ['expired'] });
  });

  test('allows nothing else', () => {
    expect(apply([finding('break', 'v1', 'spec.sizes')], '2026-01-01')).toEqual({ allowed: [false], idle: ['unused'] });
    expect(apply([finding('break', 'v1'), finding('break', 'v2')], '2026-01-01', '    version: v2\n')).toEqual({
      allowed: [false, true],
      idle: [],
    });
  });

  test('is unused for a safe difference', () => {
    expect(apply([finding('safe')], '2026-01-01')).toEqual({ allowed: [false], idle: ['unused'] });
  });

  test.each([
    ['another path', [finding('break', 'v1', 'spec.sizes')], '', 'write `path: spec.sizes`'],
    ['no path', [finding('break', 'v1', '')], '', 'leave out `path`'],
    ['another version', [finding('break')], '    version: v2\n', 'write `version: v1`'],
    ['nothing that is not safe', [finding('safe', 'v1', 'spec.sizes')], '', 'remove it'],
    ['nothing', [], '', 'remove it'],
  ])('that is unused has the name of %s in its message', (_title, findings, more, advice) => {
    const { idle } = applyAllow(findings, readAllowFile('allow.yaml', entry(more)), '2026-01-01');
    expect(idle.map((each) => idleWords(each).split('; ')[1])).toEqual([advice]);
  });
});
