/** Checks the list of free pages of an LMDB file: what it names is overwritten by later commits. */
import { u64 } from './lmdb-layout.js';
import { fail, type PageUse, type TreeEntry } from './lmdb-tree.js';

const WORD_BYTES = 8;

/** Orders the keys of the list, which are numbers of transactions. */
export const compareTransactions = (a: Buffer, b: Buffer): number => u64(a, 0) - u64(b, 0);

/**
 * Takes the pages of one entry: the number of words, then each page by its number, 0 for none, or a run of them by its
 * negative length and its first page. Throws a `StructureError` where one of them has another use.
 */
export function takeFreePages({ key, value }: TreeEntry, use: PageUse): void {
  const words = value();
  if (key.length !== WORD_BYTES) fail('has a list of free pages that is not whole');
  const count = words.length < WORD_BYTES ? Number.NaN : u64(words, 0);
  if (!((count + 1) * WORD_BYTES <= words.length)) fail('has a list of free pages that is not whole');
  for (let index = 1; index <= count; index++) {
    const word = Number(words.readBigInt64LE(index * WORD_BYTES));
    if (word > 0) use.take(word);
    else if (word < 0 && index < count) use.take(u64(words, ++index * WORD_BYTES), -word);
    else if (word < 0) fail('has a list of free pages that is not whole');
  }
}
