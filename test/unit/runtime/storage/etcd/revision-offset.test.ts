/** Revisions that are moved on: in every place of every message, and nothing else. */
import { describe, expect, it } from 'vitest';
import { CREATE, MOD } from '../../../../../runtime/storage/etcd/messages.js';
import {
  renumberCompaction,
  renumberRange,
  renumberTxn,
  renumberWatch,
  withoutRevisions,
} from '../../../../../runtime/storage/etcd/revision-offset.js';

const by = 1000;
const key = Buffer.from('k');
const value = Buffer.from('v');

describe('revisions that are moved on', () => {
  it('are etcd’s own in what is asked', () => {
    expect(renumberRange.question({ key, limit: 3, revision: 1007 }, by)).toEqual({ key, limit: 3, revision: 7 });
    const compare = [
      { target: MOD, key, modRevision: 1003 },
      { target: CREATE, key, createRevision: 1002 },
    ] as const;
    const success = [{ requestPut: { key, value } }];
    expect(renumberTxn.question({ compare, success }, by)).toEqual({
      compare: [
        { target: MOD, key, modRevision: 3 },
        { target: CREATE, key, createRevision: 2 },
      ],
      success,
    });
    const createRequest = { key, rangeEnd: key, startRevision: 1005, progressNotify: true };
    expect(renumberWatch.question({ createRequest }, by)).toEqual({
      createRequest: { ...createRequest, startRevision: 5 },
    });
    expect(renumberCompaction.question({ revision: 1009 }, by)).toEqual({ revision: 9 });
    expect(withoutRevisions.question({ ID: 1009 })).toEqual({ ID: 1009 });
  });

  it('are the store’s own in what is answered', () => {
    const header = { revision: 9 };
    const kv = { key, createRevision: 2, modRevision: 3, value };
    const moved = { key, createRevision: 1002, modRevision: 1003, value };
    const page = { header, kvs: [kv], more: true };
    const movedPage = { header: { revision: 1009 }, kvs: [moved], more: true };
    expect(renumberRange.answer(page, by)).toEqual(movedPage);
    expect(renumberTxn.answer({ header, succeeded: true, responses: [{ responseRange: page }, {}] }, by)).toEqual({
      header: { revision: 1009 },
      succeeded: true,
      responses: [{ responseRange: movedPage }, {}],
    });
    const watched = { header, created: true, canceled: false, compactRevision: 4, cancelReason: 'why' };
    expect(renumberWatch.answer({ ...watched, events: [{ type: 1, kv }] }, by)).toEqual({
      ...watched,
      header: { revision: 1009 },
      compactRevision: 1004,
      events: [{ type: 1, kv: moved }],
    });
    expect(renumberCompaction.answer({}, by)).toEqual({});
  });

  it('leave alone what stands for none, or for the latest', () => {
    expect(renumberRange.question({ key, revision: 0 }, by)).toEqual({ key, revision: 0 });
    expect(renumberRange.question({ key }, by)).toEqual({ key });
    const compare = [{ target: MOD, key, modRevision: 0 }] as const;
    expect(renumberTxn.question({ compare, success: [] }, by).compare).toEqual(compare);
    expect(renumberWatch.answer({ compactRevision: 0 }, by)).toEqual({ compactRevision: 0 });
    expect(renumberRange.answer({ kvs: [{ key }] }, by)).toEqual({ kvs: [{ key }] });
  });

  it('from before the move are those of no key, not of absence', () => {
    const compare = [{ target: MOD, key, modRevision: 12 }] as const;
    expect(renumberTxn.question({ compare, success: [] }, by).compare).toEqual([{ target: MOD, key, modRevision: 1 }]);
    expect(renumberRange.question({ key, revision: 12 }, by)).toEqual({ key, revision: 1 });
  });
});
