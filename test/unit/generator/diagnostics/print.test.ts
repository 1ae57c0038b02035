import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../../generator/diagnostics/diagnostic.js';
import { countDiagnostics, printDiagnostic } from '../../../../generator/diagnostics/print.js';

const base: Diagnostic = { file: 'a/b.yaml', line: 3, column: 7, code: 'KF2003', severity: 'error', message: 'no' };

test('prints one line, and the suggestion on a second', () => {
  expect(printDiagnostic(base)).toBe('a/b.yaml:3:7 KF2003 no');
  expect(printDiagnostic({ ...base, suggestion: 'yes' })).toBe('a/b.yaml:3:7 KF2003 no\n    yes');
  expect(printDiagnostic({ ...base, severity: 'warning' })).toBe('a/b.yaml:3:7 KF2003 warning: no');
});

test('escapes text that could break the line or control a terminal', () => {
  const printed = printDiagnostic({ ...base, message: 'a\nb\tc\u001b[31md\u2028e', suggestion: 'x\r\ny' });
  expect(printed).toBe('a/b.yaml:3:7 KF2003 a\\nb\\tc\\u001b[31md\\u2028e\n    x\\r\\ny');
});

test('counts errors and warnings', () => {
  const warning: Diagnostic = { ...base, severity: 'warning' };
  expect(countDiagnostics([])).toBe('');
  expect(countDiagnostics([base])).toBe('1 error');
  expect(countDiagnostics([warning, base, warning])).toBe('1 error, 2 warnings');
});
