/** The words about storage jobs. */
import { describe, expect, it } from 'vitest';
import { isSound, linesOf } from '../../../../bin/storage/report.js';
import type { StorageOutcome } from '../../../../server/maintenance/storage-jobs.js';

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
      { kind: 'transfer', source: 'lmdb:a', target: 'lmdb:b', transferred: { objects: 2, from: 9, to: 20 } },
      [
        'lmdb:b: 2 objects, as they were in lmdb:a at revision 9',
        'its revisions go on from 20; clients that know older ones list again',
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
      'a damaged store without a whole object',
      { kind: 'verify', place: 'lmdb:a', verified: { ...verified, objects: 0, bytes: 0, damage } },
      [
        '(key unknown): its checksum is wrong; restore a snapshot',
        'lmdb:a, at revision 9: 0 objects, 0 bytes',
        '1 damaged',
      ],
      false,
    ],
  ])('tells of %s', (_, outcome, lines, sound) => {
    expect(linesOf(outcome)).toEqual(lines);
    expect(isSound(outcome)).toBe(sound);
  });
});
