/** The layout of an LMDB file, as far as its structure is concerned: pages, the two meta pages, nodes. */

/*
 * All numbers are little-endian. Each page begins with a header of 24 bytes, except the second and later pages of a
 * long value:
 *    0  u64  the page's number
 *    8  u64  the transaction that wrote it
 *   18  u16  its kind
 *   20  u16  end of the offsets of nodes, u16 start of the nodes, both after the header;
 *            of a long value: u32 its pages
 *   24       of a meta page: u32 magic, u32 version, u64 0, u64 size of the map, the trees of free pages and of the data,
 *            u64 the last page, u64 the transaction; of a branch or a leaf: u16 offsets of nodes
 */
const MAGIC = 0xbeefc0de;
const VERSION = 2;
const META_AT = 24;
export const META_BYTES = META_AT + 136;
export const HEADER_BYTES = 24;
export const BRANCH = 1;
export const LEAF = 2;
export const LONG_VALUE = 4;
const META = 8;
/** A node's flag: the value has its own pages, and the node has their position. */
export const IS_LONG = 1;
export const NODE_BYTES = 8;
export const LONG_REFERENCE_BYTES = 24;

/** A tree of pages, as a meta page describes it. */
export interface Tree {
  readonly flags: number;
  readonly depth: number;
  readonly branches: number;
  readonly leaves: number;
  /** The number of pages of long values. */
  readonly longPages: number;
  readonly entries: number;
  /** Absent while the tree is empty. */
  readonly root: number | undefined;
}

/** A meta page: the state after one transaction. */
export interface Meta {
  readonly pageSize: number;
  readonly mapBytes: number;
  readonly free: Tree;
  readonly data: Tree;
  readonly lastPage: number;
  readonly transaction: number;
}

export interface PageHeader {
  readonly page: number;
  readonly transaction: number;
  readonly kind: number;
}

/** Reads a number of 64 bits. It is not exact beyond 2^53, but no such number gets that large. */
export function u64(source: Buffer, at: number): number {
  return source.readUInt32LE(at) + source.readUInt32LE(at + 4) * 2 ** 32;
}

export function readHeader(page: Buffer): PageHeader {
  return { page: u64(page, 0), transaction: u64(page, 8), kind: page.readUInt16LE(18) };
}

/** Reads the meta page with this number, 0 or 1; returns undefined if it is not a meta page. */
export function readMeta(source: Buffer, number: 0 | 1): Meta | undefined {
  const { page, kind } = readHeader(source);
  if (page !== number || kind !== META || u64(source, META_AT + 8) !== 0) return undefined;
  if (source.readUInt32LE(META_AT) !== MAGIC || source.readUInt32LE(META_AT + 4) !== VERSION) return undefined;
  const pageSize = source.readUInt32LE(META_AT + 24);
  if (pageSize < 512 || pageSize > 65_536 || !Number.isInteger(Math.log2(pageSize))) return undefined;
  return {
    pageSize,
    mapBytes: u64(source, META_AT + 16),
    free: readTree(source, META_AT + 24),
    data: readTree(source, META_AT + 72),
    lastPage: u64(source, META_AT + 120),
    transaction: u64(source, META_AT + 128),
  };
}

function readTree(source: Buffer, at: number): Tree {
  const root = u64(source, at + 40);
  return {
    flags: source.readUInt16LE(at + 4),
    depth: source.readUInt16LE(at + 6),
    branches: u64(source, at + 8),
    leaves: u64(source, at + 16),
    longPages: u64(source, at + 24),
    entries: u64(source, at + 32),
    root: root === 2 ** 64 ? undefined : root,
  };
}
