/** Revisions that are moved on: in every place of every message, and nothing else. */
import { describe, expect, it } from 'vitest';
import { CREATE, MOD } from '../../../../../runtime/storage/etcd/messages.js';
import {
  shiftedCompaction,
  shiftedRange,
  shiftedTxn,
  shiftedWatch,
  unshifted,
} from '../../../../../runtime/storage/etcd/restore-epoch.js';

const by = 1000;
const key = Buffer.from('k');
const value = Buffer.from('v');

describe('revisions that are moved on', () => {
  it('are etcd’s own in what is asked', () => {
    expect(shiftedRange.question({ key, limit: 3, revision: 1007 }, by)).toEqual({ key, limit: 3, revision: 7 });
    const compare = [
      { target: MOD, key, modRevision: 1003 },
      { target: CREATE, key, createRevision: 1002 },
    ] as const;
    const success = [{ requestPut: { key, value } }];
    expect(shiftedTxn.question({ compare, success }, by)).toEqual({
      compare: [
        { target: MOD, key, modRevision: 3 },
        { target: CREATE, key, createRevision: 2 },
      ],
      success,
    });
    const createRequest = { key, rangeEnd: key, startRevision: 1005, progressNotify: true };
    expect(shiftedWatch.question({ createRequest }, by)).toEqual({
      createRequest: { ...createRequest, startRevision: 5 },
    });
    expect(shiftedCompaction.question({ revision: 1009 }, by)).toEqual({ revision: 9 });
    expect(unshifted.question({ ID: 1009 })).toEqual({ ID: 1009 });
  });

  it('are the store’s own in what is answered', () => {
    const header = { revision: 9 };
    const kv = { key, createRevision: 2, modRevision: 3, value };
    const moved = { key, createRevision: 1002, modRevision: 1003, value };
    const page = { header, kvs: [kv], more: true };
    const movedPage = { header: { revision: 1009 }, kvs: [moved], more: true };
    expect(shiftedRange.answer(page, by)).toEqual(movedPage);
    expect(shiftedTxn.answer({ header, succeeded: true, responses: [{ responseRange: page }, {}] }, by)).toEqual({
      header: { revision: 1009 },
      succeeded: true,
      responses: [{ responseRange: movedPage }, {}],
    });
    const watched = { header, created: true, canceled: false, compactRevision: 4, cancelReason: 'why' };
    expect(shiftedWatch.answer({ ...watched, events: [{ type: 1, kv }] }, by)).toEqual({
      ...watched,
      header: { revision: 1009 },
      compactRevision: 1004,
      events: [{ type: 1, kv: moved }],
    });
    expect(shiftedCompaction.answer({}, by)).toEqual({});
  });

  it('leave alone what stands for none, or for the latest', () => {
    expect(shiftedRange.question({ key, revision: 0 }, by)).toEqual({ key, revision: 0 });
    expect(shiftedRange.question({ key }, by)).toEqual({ key });
    const compare = [{ target: MOD, key, modRevision: 0 }] as const;
    expect(shiftedTxn.question({ compare, success: [] }, by).compare).toEqual(compare);
    expect(shiftedWatch.answer({ compactRevision: 0 }, by)).toEqual({ compactRevision: 0 });
    expect(shiftedRange.answer({ kvs: [{ key }] }, by)).toEqual({ kvs: [{ key }] });
  });

  it('from before the move are those of no key, not of absence', () => {
    const compare = [{ target: MOD, key, modRevision: 12 }] as const;
    expect(shiftedTxn.question({ compare, success: [] }, by).compare).toEqual([{ target: MOD, key, modRevision: 1 }]);
    expect(shiftedRange.question({ key, revision: 12 }, by)).toEqual({ key, revision: 1 });
  });
});
