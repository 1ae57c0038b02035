import { describe, expect, it } from 'vitest';
import { isSound, linesOf, migrationReport, stoppedLine } from '../../../bin/storage.js';
import type { StorageOutcome } from '../../../server/maintenance/storage-jobs.js';

const verified = { objects: 2, bytes: 30, oldest: 4, newest: 7, revision: 9, damage: [] };
const damage = [{ key: '', problem: 'its checksum is wrong', cure: 'restore a snapshot' }];

describe('the report of a storage job', () => {
  it.each<[string, StorageOutcome, readonly string[], boolean]>([
    [
      'a snapshot',
      { kind: 'snapshot', file: 'a.snapshot', storage: 'lmdb:data', objects: 2, bytes: 30, revision: 9 },
      ['a.snapshot: 2 objects, 30 bytes, as they are in lmdb:data at revision 9'],
      true,
    ],
    [
      'a transfer',
      {
        kind: 'transfer',
        source: 'lmdb:a',
        target: 'lmdb:b',
        transferred: { objects: 2, from: 9, to: 20 },
        keepsSecret: false,
      },
      [
        'lmdb:b: 2 objects, as they were in lmdb:a at revision 9',
        'its revisions go on from 20; clients that know older ones list again',
      ],
      true,
    ],
    [
      'a transfer of a whole store',
      {
        kind: 'transfer',
        source: 'lmdb:a',
        target: 'etcd:b',
        transferred: { objects: 2, from: 9, to: 20 },
        keepsSecret: true,
      },
      [
        'etcd:b: 2 objects, as they were in lmdb:a at revision 9',
        'its revisions go on from 20; clients that know older ones list again',
        "it keeps the source's secret: certificates, kubeconfigs and tokens stay valid",
      ],
      true,
    ],
    [
      'a sound store',
      { kind: 'verify', place: 'lmdb:a', verified },
      ['lmdb:a, at revision 9: 2 objects, 30 bytes, last changed at revisions 4 to 7', 'nothing is damaged'],
      true,
    ],
    [
      'a store without its keys',
      {
        kind: 'verify',
        place: 'lmdb:a',
        verified: {
          ...verified,
          damage: Array.from({ length: 12 }, (_, index) => ({
            key: `a/b/${index}`,
            problem: 'its key is missing',
            cure: 'give it',
            locked: true as const,
          })),
        },
      },
      [
        ...Array.from({ length: 10 }, (_, index) => `a/b/${index}: its key is missing`),
        'lmdb:a, at revision 9: 2 objects, 30 bytes, last changed at revisions 4 to 7',
        '12 more cannot be decrypted; give --encryption-provider-config',
        'nothing is damaged',
      ],
      false,
    ],
    [
      'a snapshot without its keys',
      { kind: 'verify', place: 'a.kfs', verified: { ...verified, encrypted: 2 } },
      [
        'a.kfs, at revision 9: 2 objects, 30 bytes, last changed at revisions 4 to 7',
        '2 of them are encrypted, and were checked by their checksums alone',
        'nothing is damaged',
      ],
      true,
    ],
    [
      'a damaged store without a whole object',
      { kind: 'verify', place: 'lmdb:a', verified: { ...verified, objects: 0, bytes: 0, damage } },
      [
        '(key unknown): its checksum is wrong; restore a snapshot',
        'lmdb:a, at revision 9: 0 objects, 0 bytes',
        '1 damaged',
      ],
      false,
    ],
  ])('reports %s', (_, outcome, lines, sound) => {
    expect(linesOf(outcome)).toEqual(lines);
    expect(isSound(outcome)).toBe(sound);
  });
});

it('counts the writes of this command', () => {
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

it('reports the work of the server', () => {
  const ends = [
    { resource: 'cups', failed: false, message: '1 object, 1 written again; nothing is stored in v1 any more' },
    { resource: 'mugs', failed: false, message: '1 object, 0 written again' },
    { resource: 'jars', failed: true, message: 'jars are not served' },
  ];
  expect(migrationReport({ kind: 'asked', resources: 3, ends })).toEqual({
    lines: [`cups: ${ends[0]?.message}`, 'the server migrated 3 resources; 1 could not be written'],
    problems: ['jars: jars are not served'],
  });
});

it('prints how to continue after it was stopped', () => {
  expect(stoppedLine(5, 'objects, now cups', undefined)).toBe(
    'stopped after 5 objects; the same command starts over, and skips objects that are already written',
  );
  expect(stoppedLine(5, 'objects, now cups', 'state.json')).toContain('continues from the progress in state.json');
  expect(stoppedLine(2, 'resources, now cups', undefined)).toContain('stopped after 2 resources; the server finishes');
});
