import { expect, test } from 'vitest';
import { codeGroups, codes, severityOf } from '../../../../generator/diagnostics/codes.js';

test('codes are in order, four digits after KF', () => {
  const names = Object.keys(codes);
  expect(names).toEqual([...names].sort());
  for (const name of names) {
    expect(name).toMatch(/^KF\d{4}$/);
    expect(Object.keys(codeGroups)).toContain(name.slice(0, 3));
  }
});

test('only errors are tolerated in CustomResourceDefinitions', () => {
  expect(severityOf('KF4003', true)).toBe('error');
  expect(severityOf('KF4003', false)).toBe('warning');
  expect(severityOf('KF1011', true)).toBe('warning');
  expect(severityOf('KF4001', false)).toBe('error');
});
