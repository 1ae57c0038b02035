import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../../generator/check/package-root.js';
import { type Code, codes, severityOf } from '../../../../generator/diagnostics/codes.js';

const page = join(packageRoot(), 'docs', 'diagnostics.md');
const rows = (existsSync(page) ? readFileSync(page, 'utf8') : '')
  .split('\n')
  .flatMap((line) => [/^\| (KF\d{4}) +\| ([^|]+?) +\| ([^|]+?) +\| ([^|]+?) +\|$/.exec(line) ?? []])
  .flatMap(([, code, severity, meaning, cure]) => (code === undefined ? [] : [{ code, severity, meaning, cure }]));

test('the page has a row per code, in order, and no other', () => {
  expect(rows.map((row) => row.code)).toEqual(Object.keys(codes));
});

test('the page says how severe each is', () => {
  for (const { code, severity } of rows) {
    const known = Object.keys(codes).find((each): each is Code => each === code);
    if (known === undefined) throw new Error(code);
    const isError = severityOf(known, true) === 'error';
    const isTolerated = isError && severityOf(known, false) === 'warning';
    expect([code, severity]).toEqual([code, isTolerated ? 'error, warning in a CRD' : isError ? 'error' : 'warning']);
  }
});

test('codes are in order, four digits after KF', () => {
  const names = Object.keys(codes);
  expect(names).toEqual([...names].sort());
  for (const name of names) expect(name).toMatch(/^KF[1-5]\d{3}$/);
});

test('only errors are tolerated in CustomResourceDefinitions', () => {
  expect(severityOf('KF4003', true)).toBe('error');
  expect(severityOf('KF4003', false)).toBe('warning');
  expect(severityOf('KF1011', true)).toBe('warning');
  expect(severityOf('KF4001', false)).toBe('error');
});
