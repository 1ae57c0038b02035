/** Takes a store that an earlier version has written over into the present format. */
import { type Connection, READ } from './connection.js';
import { encodeHead } from './head-value.js';
import type { Layout } from './layout.js';
import { txn } from './protocol.js';
import { encodeState, FORMAT, isSameEpoch, type RestoreEpoch, readRestoreEpoch } from './restore-epoch.js';

const HEAD_ALONE = encodeHead(1, []);

/**
 * Marks the present format, where that is not done, and resolves to the mark. Objects stay as they are: a revision of
 * the present format is greater than any that the first one gave out. Servers of earlier versions that are at work make
 * no change any more, and do not start again. Rejects with an `EtcdError`.
 */
export async function upgraded(connection: Connection, layout: Layout, found: RestoreEpoch): Promise<RestoreEpoch> {
  let epoch = found;
  while (epoch.format !== FORMAT) {
    const success = [
      { requestPut: { key: layout.restore, value: encodeState(epoch) } },
      { requestPut: { key: layout.head, value: HEAD_ALONE } },
      // They count revisions as the first format does.
      { requestDeleteRange: { key: layout.firstMarks } },
    ];
    await connection.ask(txn, { compare: [isSameEpoch(layout, epoch)], success }, READ);
    // It may have been another server's, or a first try's whose answer was lost.
    epoch = await readRestoreEpoch(connection, layout);
  }
  return epoch;
}
