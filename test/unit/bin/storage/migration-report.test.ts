/** The words about what became of a migration. */
import { expect, it } from 'vitest';
import { migrationReport, stoppedLine } from '../../../../bin/storage/migration-report.js';

it('counts what this command has written', () => {
  const sum = { kind: 'rewritten', seen: 3, written: 2 } as const;
  const pruned = ['cups.example.com: nothing is stored in v1 any more'];
  expect(migrationReport({ ...sum, pruned, problems: [] })).toEqual({
    lines: [...pruned, '3 objects, 2 written again'],
    problems: [],
  });
  expect(migrationReport({ ...sum, pruned: [], problems: ['cups/blue: no'] })).toEqual({
    lines: ['3 objects, 2 written again; 1 could not be written'],
    problems: ['cups/blue: no'],
  });
});

it('tells what the server has done', () => {
  const ends = [
    { resource: 'cups', failed: false, message: '1 objects, 1 written again; nothing is stored in v1 any more' },
    { resource: 'mugs', failed: false, message: '1 objects, 0 written again' },
    { resource: 'jars', failed: true, message: 'jars are not served' },
  ];
  expect(migrationReport({ kind: 'asked', resources: 3, ends })).toEqual({
    lines: [`cups: ${ends[0]?.message}`, 'the server migrated 3 resources; 1 could not be written'],
    problems: ['jars: jars are not served'],
  });
});

it('says how to go on after it was stopped', () => {
  expect(stoppedLine(5, 'objects, now cups', undefined)).toBe(
    'stopped after 5 objects; the same command begins again, and passes over what has been written',
  );
  expect(stoppedLine(5, 'objects, now cups', 'state.json')).toContain('goes on, from what state.json says');
  expect(stoppedLine(2, 'resources, now cups', undefined)).toContain('stopped after 2 resources; the server goes on');
});
