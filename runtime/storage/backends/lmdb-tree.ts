/** Walks a tree of an LMDB file, and finds faults in its structure. */
import {
  BRANCH,
  HEADER_BYTES,
  IS_LONG,
  LEAF,
  LONG_REFERENCE_BYTES,
  LONG_VALUE,
  type Meta,
  NODE_BYTES,
  readHeader,
  type Tree,
  u64,
} from './lmdb-layout.js';
import type { LmdbPages } from './lmdb-pages.js';

/** A fault of a file. The message continues a sentence that begins with the file's name. */
export class StructureError extends Error {}

/** An entry of a tree. Long values are only read on demand. */
export interface TreeEntry {
  readonly key: Buffer;
  readonly value: () => Buffer;
}

type Compare = (a: Buffer, b: Buffer) => number;

/** The most levels of a tree that the library reads. */
const DEEPEST = 32;
const BYTES_EACH = 2;

/** Records the use of each page of a file. A page has only one use. */
export class PageUse {
  readonly #taken: Uint8Array;

  constructor(readonly lastPage: number) {
    this.#taken = new Uint8Array(lastPage + 1).fill(1, 0, 2);
  }

  /** Throws a `StructureError` if one of the pages does not exist, or is in use already. */
  take(first: number, count = 1): void {
    if (!(first >= 2 && first + count - 1 <= this.lastPage)) fail(`names page ${first}, which it does not have`);
    const end = first + count;
    for (let page = first; page < end; page++) {
      if (this.#taken[page] === 1) fail(`uses page ${page} twice`);
      this.#taken[page] = 1;
    }
  }

  isTaken(page: number): boolean {
    return this.#taken[page] === 1;
  }
}

/** Reads each page of the tree, but no value. Throws a `StructureError` if the tree is not whole. */
export function walkTree(
  pages: LmdbPages,
  meta: Meta,
  tree: Tree,
  use: PageUse,
  compare: Compare,
  visit: (entry: TreeEntry) => void,
): void {
  const walk = new Walk(pages, meta, use, compare, visit);
  if (tree.root !== undefined) {
    if (tree.depth < 1 || tree.depth > DEEPEST) fail(`says that a tree has ${tree.depth} levels`);
    walk.page(tree.root, tree.depth, undefined, undefined);
  }
  const { branches, leaves, longPages, entries } = walk;
  const asSaid =
    branches === tree.branches && leaves === tree.leaves && longPages === tree.longPages && entries === tree.entries;
  if (!asSaid) fail('does not have all the entries or pages that it should');
}

class Walk {
  branches = 0;
  leaves = 0;
  longPages = 0;
  entries = 0;
  readonly #pages: LmdbPages;
  readonly #meta: Meta;
  readonly #use: PageUse;
  readonly #compare: Compare;
  readonly #visit: (entry: TreeEntry) => void;

  constructor(pages: LmdbPages, meta: Meta, use: PageUse, compare: Compare, visit: (entry: TreeEntry) => void) {
    this.#pages = pages;
    this.#meta = meta;
    this.#use = use;
    this.#compare = compare;
    this.#visit = visit;
  }

  /** Checks a page: all its keys must be at least `from` and less than `to`. Each bound may be absent. */
  page(number: number, level: number, from: Buffer | undefined, to: Buffer | undefined): void {
    this.#use.take(number);
    const page = this.#pages.page(number);
    const header = readHeader(page);
    const isSound =
      header.page === number &&
      header.transaction <= this.#meta.transaction &&
      header.kind === (level > 1 ? BRANCH : LEAF);
    if (!isSound) fail(`has other data in place of page ${number}`);
    if (level > 1) this.#branch(number, page, level, from, to);
    else this.#leaf(number, page, from, to);
  }

  #branch(number: number, page: Buffer, level: number, from: Buffer | undefined, to: Buffer | undefined): void {
    this.branches++;
    const nodes = nodesOf(number, page);
    const children: { readonly page: number; readonly key: Buffer | undefined }[] = [];
    let used = 0;
    for (const at of nodes) {
      const end = at + NODE_BYTES + page.readUInt16LE(at + 6);
      if (end > page.length) failPage(number);
      used += roundUp(end - at);
      const child = page.readUInt16LE(at) + page.readUInt16LE(at + 2) * 2 ** 16 + page.readUInt16LE(at + 4) * 2 ** 32;
      // The first child has no key of its own. The key is copied, because the next read overwrites this page.
      const key = children.length === 0 ? from : Buffer.from(page.subarray(at + NODE_BYTES, end));
      children.push({ page: child, key });
    }
    if (children.length < 2 || used !== spaceOf(page)) failPage(number);
    this.#checkOrder(
      number,
      children.flatMap(({ key }) => key ?? []),
      from,
      to,
    );
    for (const [index, child] of children.entries()) {
      this.page(child.page, level - 1, child.key, children[index + 1]?.key ?? to);
    }
  }

  #leaf(number: number, page: Buffer, from: Buffer | undefined, to: Buffer | undefined): void {
    this.leaves++;
    const keys: Buffer[] = [];
    let used = 0;
    for (const at of nodesOf(number, page)) {
      const size = page.readUInt16LE(at) + page.readUInt16LE(at + 2) * 2 ** 16;
      const flags = page.readUInt16LE(at + 4);
      const valueAt = at + NODE_BYTES + page.readUInt16LE(at + 6);
      const end = valueAt + (flags === IS_LONG ? LONG_REFERENCE_BYTES : size);
      if (flags > IS_LONG || end > page.length) failPage(number);
      used += roundUp(end - at);
      const key = page.subarray(at + NODE_BYTES, valueAt);
      keys.push(key);
      const long = flags === IS_LONG ? this.#long(size, page, valueAt) : undefined;
      const value = (): Buffer =>
        long === undefined ? page.subarray(valueAt, end) : this.#pages.longValue(long, size);
      this.#visit({ key, value });
    }
    if (keys.length === 0 || used !== spaceOf(page)) failPage(number);
    this.#checkOrder(number, keys, from, to);
    this.entries += keys.length;
  }

  /** Takes the pages of a long value. Returns the first of them. */
  #long(size: number, leaf: Buffer, referenceAt: number): number {
    const [number, transaction, count] = [0, 8, 16].map((at) => u64(leaf, referenceAt + at));
    if (number === undefined || count !== Math.ceil((HEADER_BYTES + size) / this.#meta.pageSize)) {
      return fail('has a value with a wrong length');
    }
    this.#use.take(number, count);
    if (number + count > this.#pages.count) fail(`ends before page ${number + count - 1}`);
    const header = this.#pages.longHeader(number);
    const isSound =
      header.page === number &&
      header.kind === LONG_VALUE &&
      header.pages === count &&
      header.transaction === transaction &&
      header.transaction <= this.#meta.transaction;
    if (!isSound) fail(`has other data in place of page ${number}`);
    this.longPages += count;
    return number;
  }

  #checkOrder(number: number, keys: readonly Buffer[], from: Buffer | undefined, to: Buffer | undefined): void {
    const compare = this.#compare;
    const [first] = keys;
    const last = keys.at(-1);
    const isOrdered =
      keys.every((key, index) => index === 0 || compare(keys[index - 1] ?? key, key) < 0) &&
      !(first && from && compare(first, from) < 0) &&
      !(last && to && compare(last, to) >= 0);
    if (!isOrdered) failPage(number);
  }
}

/** Returns the offsets at which the nodes of a page begin. */
function nodesOf(number: number, page: Buffer): number[] {
  const [offsetsEnd, nodesStart] = [page.readUInt16LE(20), page.readUInt16LE(22)];
  const fits = offsetsEnd % BYTES_EACH === 0 && offsetsEnd <= nodesStart && HEADER_BYTES + nodesStart <= page.length;
  if (!fits) failPage(number);
  return Array.from({ length: offsetsEnd / BYTES_EACH }, (_, index) => {
    const offset = page.readUInt16LE(HEADER_BYTES + index * BYTES_EACH);
    if (offset < nodesStart || HEADER_BYTES + offset + NODE_BYTES > page.length) failPage(number);
    return HEADER_BYTES + offset;
  });
}

/** Returns the bytes that the nodes of a page take. They have no gaps between them. */
const spaceOf = (page: Buffer): number => page.length - HEADER_BYTES - page.readUInt16LE(22);

/** Rounds up to an even number, because nodes begin at even offsets. */
const roundUp = (bytes: number): number => bytes + (bytes % 2);

export function fail(problem: string): never {
  throw new StructureError(problem);
}

function failPage(number: number): never {
  fail(`has a page ${number} that is not whole`);
}
