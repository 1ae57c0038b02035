/** Events of etcd as changes of the store, and their positions in the transaction. */
import { describe, expect, it } from 'vitest';
import { changesOf, positionsOf } from '../../../../../runtime/storage/etcd/changes.js';
import { Layout } from '../../../../../runtime/storage/etcd/layout.js';
import { DELETED } from '../../../../../runtime/storage/etcd/messages.js';
import { withPosition } from '../../../../../runtime/storage/etcd/numbering.js';
import { encoded } from '../../../../support/store-objects.js';

const layout = new Layout('/t/');
const valueAt = (position: number) => Buffer.from(withPosition(encoded('x'), position));
const put = (key: string, position: number) => ({ key, value: valueAt(position) });

describe('changes of a transaction', () => {
  it('come together for one revision, in the order in which they were made', () => {
    const at = (modRevision: number, key: Buffer, value?: Buffer) => ({ kv: { key, modRevision, value } });
    const events = [
      at(5, layout.head, Buffer.from('five')),
      at(5, layout.object('b'), valueAt(0)),
      { type: DELETED, ...at(5, layout.object('a')) },
      at(6, layout.marks, Buffer.from('x')),
      at(7, layout.restore, Buffer.from('x')),
    ];
    expect([...changesOf(events, layout)]).toEqual([
      {
        revision: 5,
        objects: [{ key: 'b', value: valueAt(0) }, { key: 'a' }],
        head: Buffer.from('five'),
        restored: false,
      },
      { revision: 6, objects: [], head: undefined, restored: false },
      { revision: 7, objects: [], head: undefined, restored: true },
    ]);
  });

  it('have the position beside their value, or after the change before', () => {
    expect(positionsOf([])).toEqual([]);
    expect(positionsOf([{ key: 'a' }])).toEqual([0]);
    expect(positionsOf([put('a', 3), { key: 'b' }, { key: 'c' }, put('d', 99), { key: 'e' }])).toEqual([
      3, 4, 5, 99, 100,
    ]);
  });

  it('have no position if another program has made several at once', () => {
    expect(positionsOf([put('a', 0), put('b', 0)])).toBeUndefined();
    expect(positionsOf([{ key: 'a' }, put('b', 0)])).toBeUndefined();
  });

  it('of states that cannot be decrypted come after the change before them', () => {
    const locked = (key: string) => ({ ...put(key, 0), locked: 'its key is missing' });
    expect(positionsOf([put('a', 3), locked('b'), locked('c'), put('d', 9)])).toEqual([3, 4, 5, 9]);
  });
});
