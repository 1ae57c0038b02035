/** Finds where paths of a document stand in its text. Done only for texts with problems, by reading them once more. */
import { EVENT_ID, type Event, getScalarValue } from 'js-yaml';
import { startOfScalar, startOfValue } from '../../runtime/codec/yaml/event-start.js';
import type { Path } from '../diagnostics/problem.js';
import { parseParts } from './parse-yaml.js';

/** Where a value and what is in it begin, as offsets of the text. */
export interface PositionNode {
  readonly start: number;
  /** By key or index; the first of two equal keys counts. */
  readonly children: Map<string | number, PositionNode>;
  /** Where the keys of a mapping begin. */
  readonly keys: Map<string, number>;
  /** Values of `<<`. */
  readonly merged: PositionNode[];
}

/** A document's positions, relative to an offset of the whole text. */
export interface DocumentPositions {
  readonly root: PositionNode;
  readonly offset: number;
}

interface Frame {
  readonly node: PositionNode;
  readonly isMap: boolean;
  key: string | undefined;
  keyStart: number;
  index: number;
}

const NONE: PositionNode = { start: -1, children: new Map(), keys: new Map(), merged: [] };

/** The positions of each document of a text, with the indexes that its documents had when it was loaded. */
export function indexPositions(text: string): readonly DocumentPositions[] {
  return parseParts(text).flatMap((part): DocumentPositions[] => {
    if (!('events' in part.parsed)) return [{ root: NONE, offset: part.offset }];
    return indexPart(part.text, part.parsed.events).map((root) => ({ root, offset: part.offset }));
  });
}

/** The positions of the documents of a text that parses. Linear in the events. */
function indexPart(text: string, events: readonly Event[]): readonly PositionNode[] {
  const documents: PositionNode[] = [];
  const frames: Frame[] = [];
  const anchors = new Map<string, PositionNode>();
  let root = NONE;

  const add = (node: PositionNode): void => {
    const frame = frames.at(-1);
    if (frame === undefined) root = node;
    else if (!frame.isMap) frame.node.children.set(frame.index++, node);
    else {
      const key = frame.key;
      frame.key = undefined;
      if (key === undefined) frame.key = '';
      else if (key === '<<') frame.node.merged.push(node);
      else if (!frame.node.keys.has(key)) {
        frame.node.keys.set(key, frame.keyStart);
        frame.node.children.set(key, node.start < 0 ? { ...node, start: frame.keyStart } : node);
      }
    }
  };

  const open = (start: number, isMap: boolean): PositionNode => {
    const node: PositionNode = { start, children: new Map(), keys: new Map(), merged: [] };
    frames.push({ node, isMap, key: undefined, keyStart: -1, index: 0 });
    return node;
  };

  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      const frame = frames.pop();
      if (frame !== undefined) add(frame.node);
      else {
        documents.push(root);
        root = NONE;
        anchors.clear();
      }
    } else if (event.type === EVENT_ID.SCALAR) {
      const frame = frames.at(-1);
      if (frame?.isMap === true && frame.key === undefined) {
        frame.key = getScalarValue(text, event);
        frame.keyStart = startOfScalar(event);
      } else add({ ...NONE, start: startOfValue(text, event) });
    } else if (event.type === EVENT_ID.ALIAS) {
      const target = anchors.get(text.slice(event.anchorStart, event.anchorEnd)) ?? NONE;
      add({ ...target, start: event.anchorStart - 1 });
    } else if (event.type !== EVENT_ID.DOCUMENT) {
      const node = open(event.start, event.type === EVENT_ID.MAPPING);
      if (event.anchorStart >= 0) anchors.set(text.slice(event.anchorStart, event.anchorEnd), node);
    }
  }
  return documents;
}

/** Where a path's value begins, or its key; the nearest enclosing value where the path is not in the text. */
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

/** The node that has a child of its own or merged. */
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

/** Merges of merged mappings that are looked through; beyond them the place of the merge has to do. */
const MOST_MERGES = 10;
