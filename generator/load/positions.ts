/** Finds paths in the text of a document. It parses the text again, so it is only used for texts with mistakes. */
import { isAlias, isPair, isScalar, type ParsedNode } from 'yaml';
import type { Path } from '../diagnostics/problem.js';
import { isMergeKey, startOf } from './construct.js';
import { MAX_DEPTH } from './limits.js';
import { lineOfPath } from './line-of-path.js';
import { composeParts } from './parse-yaml.js';

/** The offsets of a value and its parts in the text. */
export interface PositionNode {
  readonly start: number;
  /** By key or index. The first of two equal keys is used. */
  readonly children: Map<string | number, PositionNode>;
  /** The offsets of the keys of a mapping. */
  readonly keys: Map<string, number>;
  /** Values of `<<`. */
  readonly merged: PositionNode[];
}

/** A document's positions, relative to an offset of the whole text. */
export interface DocumentPositions {
  readonly root: PositionNode;
  readonly offset: number;
}

/** Maximum number of paths to find by lines. Parsing the text takes as long as some hundred of them. */
const MOST_BY_LINES = 100;

/**
 * Returns a function from paths in documents of a text to offsets. It only parses the text if its lines are not enough.
 */
export function createOffsets(text: string): (document: number, path: Path, at: 'key' | 'value') => number {
  let indexed: readonly DocumentPositions[] | undefined;
  let byLines = 0;
  return (document, path, at) => {
    const told = indexed === undefined && byLines++ < MOST_BY_LINES ? lineOfPath(text, document, path, at) : undefined;
    if (told !== undefined) return told;
    indexed ??= indexPositions(text);
    const positions = indexed[document];
    return positions === undefined ? 0 : findOffset(positions, path, at);
  };
}

const NONE: PositionNode = { start: -1, children: new Map(), keys: new Map(), merged: [] };

/** Returns the positions of each document of a text, with the same indexes as when it was loaded. */
export function indexPositions(text: string): readonly DocumentPositions[] {
  return composeParts(text).flatMap(({ composed, offset }): DocumentPositions[] => {
    if ('problem' in composed) return [{ root: NONE, offset }];
    return composed.documents.map(({ contents }) => ({ root: indexNode(contents, new Map(), 0), offset }));
  });
}

/** Returns the positions below a node. `anchors` maps anchors to their positions. Linear in the nodes. */
function indexNode(node: ParsedNode | null, anchors: Map<string, PositionNode>, depth: number): PositionNode {
  if (node === null || depth > MAX_DEPTH) return NONE;
  const start = startOf(node);
  if (isAlias(node)) return { ...(anchors.get(node.source) ?? NONE), start };
  if (isScalar(node)) return { ...NONE, start: isWritten(node) ? start : -1 };
  const indexed: PositionNode = { start, children: new Map(), keys: new Map(), merged: [] };
  if (node.anchor !== undefined) anchors.set(node.anchor, indexed);
  for (const [index, item] of node.items.entries()) {
    if (!isPair(item)) indexed.children.set(index, indexNode(item, anchors, depth + 1));
    else indexPair(indexed, item.key, indexNode(item.value, anchors, depth + 1));
  }
  return indexed;
}

function indexPair(map: PositionNode, key: ParsedNode, value: PositionNode): void {
  if (isMergeKey(key)) map.merged.push(value);
  if (!isScalar(key) || isMergeKey(key) || map.keys.has(key.source)) return;
  const start = startOf(key);
  map.keys.set(key.source, start);
  map.children.set(key.source, value.start < 0 ? { ...value, start } : value);
}

const isWritten = ({ type, source }: { readonly type?: string | null; readonly source: string }): boolean =>
  type !== 'PLAIN' || source !== '';

/**
 * Returns the offset of the value at a path, or of its key; of the nearest value around it if the path is not in the
 * text.
 */
export function findOffset(document: DocumentPositions, path: Path, at: 'key' | 'value'): number {
  return document.offset + Math.max(offsetIn(document.root, path, at), 0);
}

function offsetIn(root: PositionNode, path: Path, at: 'key' | 'value'): number {
  let node = root;
  let offset = node.start;
  for (const [index, step] of path.entries()) {
    const holder = holderOf(node, step, 0);
    const next = holder?.children.get(step);
    if (holder === undefined || next === undefined) return offset;
    const key = typeof step === 'string' ? holder.keys.get(step) : undefined;
    node = next;
    offset = at === 'key' && index === path.length - 1 && key !== undefined ? key : next.start;
  }
  return offset;
}

/** Returns the node that has a child itself, or by a merge. */
function holderOf(node: PositionNode, step: string | number, depth: number): PositionNode | undefined {
  if (node.children.has(step)) return node;
  if (depth > MOST_MERGES) return undefined;
  for (const merged of node.merged) {
    const sources = merged.keys.size > 0 ? [merged] : [...merged.children.values()];
    for (const source of sources) {
      const holder = holderOf(source, step, depth + 1);
      if (holder !== undefined) return holder;
    }
  }
  return undefined;
}

/** Maximum number of nested merges to follow. Deeper ones have the place of the merge. */
const MOST_MERGES = 10;
