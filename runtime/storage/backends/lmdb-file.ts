/** Checks an LMDB file before the library maps it, because a damaged file can crash the process. */
import { closeSync, ftruncateSync, openSync } from 'node:fs';
import { type Meta, u64 } from './lmdb-layout.js';
import { LmdbPages } from './lmdb-pages.js';
import { fail, PageUse, StructureError, type TreeEntry, walkTree } from './lmdb-tree.js';

/**
 * The number of tries to read a file that another process keeps changing. After them, the lock reports that process.
 */
const ATTEMPTS = 5;

/** Checks the entries of the data by key and value. Throws a `StructureError` if they cannot be valid. */
export interface EntryRules {
  entry(entry: TreeEntry): void;
  end(): void;
}

/**
 * Checks the structure of a database file. Throws a `DamagedFileError` if the file is not a database, or is damaged.
 * Does not read values, because they have their own checksums. Reads every page except the pages of long values.
 * Changes nothing, except the length of a file that ends before its last free pages. Returns false for a database of
 * another program, which has a map of another size.
 */
export function checkLmdbFile(path: string, mapBytes: number, newRules: () => EntryRules): boolean {
  for (let attempt = 1; ; attempt++) {
    const pages = new LmdbPages(path);
    let before: readonly (Meta | undefined)[] = [];
    try {
      before = pages.metas();
      const [first, second] = before;
      if (!first) throw new DamagedFileError(path, 'is not a database', 'move it away, or restore a snapshot');
      if (before.every((meta) => meta && meta.mapBytes !== mapBytes)) return false;
      if (!second) fail('has other data in place of page 1');
      const end = checkPages(pages, first, second, newRules());
      pages.close();
      lengthen(path, pages, end, first.pageSize);
      return true;
    } catch (error) {
      if (!(error instanceof StructureError)) throw error;
      const changed = JSON.stringify(pages.metas()) !== JSON.stringify(before);
      if (!changed) throw new DamagedFileError(path, `is damaged: it ${error.message}`);
      if (attempt === ATTEMPTS) return true;
    } finally {
      pages.close();
    }
  }
}

/** Checks all pages. Returns their number. */
function checkPages(pages: LmdbPages, first: Meta, second: Meta, rules: EntryRules): number {
  const [older, newer] = first.transaction < second.transaction ? [first, second] : [second, first];
  checkMetas(first, second);
  for (const meta of [older, newer]) checkRoots(pages, meta);
  const use = new PageUse(newer.lastPage);
  const free: TreeEntry[] = [];
  walkTree(pages, newer, newer.free, use, compareTransactions, (entry) => free.push(entry));
  walkTree(pages, newer, newer.data, use, Buffer.compare, (entry) => rules.entry(entry));
  rules.end();
  for (const entry of free) takeFreePages(entry, use);
  // A file may end before its last pages, if these are free and have never been written.
  for (let page = pages.count; page <= newer.lastPage; page++) if (!use.isTaken(page)) fail(`ends before page ${page}`);
  return newer.lastPage + 1;
}

/** Checks that transactions wrote the two meta pages in turn. */
function checkMetas(first: Meta, second: Meta): void {
  const { pageSize, mapBytes } = first;
  const isSame =
    second.pageSize === pageSize &&
    second.mapBytes === mapBytes &&
    second.free.flags === first.free.flags &&
    second.data.flags === first.data.flags;
  const inTurn =
    (first.transaction % 2 === 0 &&
      second.transaction % 2 === 1 &&
      Math.abs(first.transaction - second.transaction) === 1) ||
    (first.transaction === 0 && second.transaction === 0);
  const fits = [first, second].every(
    ({ lastPage }) => Number.isSafeInteger(lastPage) && lastPage >= 1 && (lastPage + 1) * pageSize <= mapBytes,
  );
  if (!isSame || !inTurn || !fits) fail('has meta pages that contradict each other');
}

/**
 * Checks the roots. A transaction writes the root of the data, of the free pages, or both, and never after the meta
 * page.
 */
function checkRoots(pages: LmdbPages, { free, data, lastPage, transaction }: Meta): void {
  // The first transaction only records how keys are ordered.
  if (transaction <= 1) return;
  const roots = [free, data].flatMap(({ root }) => root ?? []);
  if (!roots.every((root) => root >= 2 && root <= lastPage)) fail('has a meta page that names pages it does not have');
  const written = roots.map((root) => pages.header(root).transaction);
  if (Math.max(...written) !== transaction) fail('has a meta page of another transaction than its trees');
}

/** Lengthens the file. Reading pages after its end through the map would be a bus error. */
function lengthen(path: string, { count }: LmdbPages, pages: number, pageSize: number): void {
  if (count >= pages) return;
  const file = openSync(path, 'r+');
  try {
    ftruncateSync(file, pages * pageSize);
  } finally {
    closeSync(file);
  }
}

const WORD_BYTES = 8;

/** Orders the keys of the list. They are numbers of transactions. */
const compareTransactions = (a: Buffer, b: Buffer): number => u64(a, 0) - u64(b, 0);

/**
 * Takes the pages of one entry. It has the number of its words. Then it has each page by its number, 0 for none, or a
 * run of pages by its negative length and its first page. Throws a `StructureError` if one of them has another use.
 */
function takeFreePages({ key, value }: TreeEntry, use: PageUse): void {
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

/** Thrown if a data file is missing, empty, or damaged, as a whole or in the pages that lead to all others. */
export class DamagedFileError extends Error {
  constructor(
    readonly path: string,
    problem: string,
    cure = 'move the folder away, and restore a snapshot or a copy of it',
    options?: ErrorOptions,
  ) {
    super(`${path} ${problem}; ${cure}`, options);
    this.name = 'DamagedFileError';
  }
}
