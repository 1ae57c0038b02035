/** Turns the nodes of a YAML document into JSON values, within bounds. */
import { isAlias, isMap, isScalar, isSeq, type LineCounter, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { isObject, setOwn } from '../../objects/guards.js';
import { byCodePoint, formatNumber, formatSource, quote } from '../../objects/printing.js';
import { duplicateKeyRemark } from '../remarks.js';
import { resolvePlain, resolveTagged } from './scalars.js';

/** A document that means no JSON value; the message says why. */
export class YamlProblem extends Error {}

const maxRemarks = 100;

/** Reads one document; an instance is used once. */
export class YamlReader {
  readonly duplicates: string[] = [];
  readonly remarks: string[] = [];
  private readonly anchors = new Map<string, unknown>();
  /** Anchors whose nodes are being read: an alias to one of them has no end. */
  private readonly open = new Set<unknown>();
  private insideAliases = 0;
  private nodes = 0;
  private aliasedNodes = 0;

  constructor(
    private readonly lines: LineCounter,
    private readonly maxDepth: number,
  ) {}

  /** The value of a node, with the keys of objects sorted. `path` is where it goes. */
  read(node: unknown, path = '', depth = 0): JsonValue {
    if (depth > this.maxDepth) throw new YamlProblem('exceeded max depth');
    this.count();
    if (isAlias(node)) return this.alias(node.source, path, depth);
    if (isScalar(node)) {
      this.anchor(node.anchor, node);
      return this.scalar(node);
    }
    if (isMap(node)) return this.within(node, node.anchor, () => this.map(node, path, depth));
    if (!isSeq(node)) return null;
    return this.within(node, node.anchor, () => {
      return node.items.map((item, index) => this.read(item, `${path}[${index}]`, depth + 1));
    });
  }

  /** Bombs of aliases are recognised by how much of a document consists of them. */
  private count(): void {
    this.nodes++;
    if (this.insideAliases > 0) this.aliasedNodes++;
    const tooMany =
      this.aliasedNodes > 100 && this.nodes > 1000 && this.aliasedNodes / this.nodes > allowedShare(this.nodes);
    if (tooMany) throw new YamlProblem('document contains excessive aliasing');
  }

  private alias(name: string, path: string, depth: number): JsonValue {
    const target = this.anchors.get(name);
    if (target === undefined) throw new YamlProblem(`unknown anchor '${name}' referenced`);
    if (this.open.has(target)) throw new YamlProblem(`anchor '${name}' value contains itself`);
    this.insideAliases++;
    const value = this.read(target, path, depth + 1);
    this.insideAliases--;
    return value;
  }

  private within<T>(node: unknown, anchor: string | undefined, read: () => T): T {
    this.anchor(anchor, node);
    this.open.add(node);
    const value = read();
    this.open.delete(node);
    return value;
  }

  private anchor(name: string | undefined, node: unknown): void {
    if (name !== undefined && this.insideAliases === 0) this.anchors.set(name, node);
  }

  private scalar({ value, tag, type }: Scalar): JsonValue {
    const text = typeof value === 'string' ? value : '';
    if (tag === undefined || tag === null)
      return type === 'PLAIN' || type === undefined ? finite(resolvePlain(text)) : text;
    const resolved = resolveTagged(tag, text);
    if (!resolved.ok) throw new YamlProblem(resolved.problem);
    return finite(resolved.value);
  }

  private map(node: YAMLMap, path: string, depth: number): JsonObject {
    const entries = new Map<string, JsonValue>();
    for (const pair of node.items) {
      if (isMergeKey(pair)) this.merge(pair.value, entries, path, depth);
      else {
        const key = this.key(pair, path, depth);
        const keyPath = path === '' ? key : `${path}.${key}`;
        if (entries.has(key)) this.repeated(pair, key, keyPath);
        entries.set(key, this.read(pair.value, keyPath, depth + 1));
      }
    }
    const object: JsonObject = {};
    for (const key of [...entries.keys()].sort(byCodePoint)) setOwn(object, key, entries.get(key) ?? null);
    return object;
  }

  private key(pair: Pair, path: string, depth: number): string {
    const key = this.read(pair.key, path, depth + 1);
    if (typeof key === 'string') return key;
    if (typeof key === 'number' || typeof key === 'bigint') return formatNumber(key);
    if (typeof key === 'boolean') return String(key);
    if (key === null) throw new YamlProblem('a map key must not be null');
    throw new YamlProblem(
      `invalid map key: ${formatSource(key).replaceAll('map[string]interface {}', 'map[interface {}]interface {}')}`,
    );
  }

  private merge(value: unknown, entries: Map<string, JsonValue>, path: string, depth: number): void {
    const merged = this.read(value, path, depth + 1);
    const objects = Array.isArray(merged) ? merged.toReversed() : [merged];
    for (const object of objects) {
      if (!isObject(object)) throw new YamlProblem('map merge requires map or sequence of maps as the value');
      for (const [key, child] of Object.entries(object)) entries.set(key, child ?? null);
    }
  }

  private repeated(pair: Pair, key: string, path: string): void {
    if (this.remarks.length >= maxRemarks) return;
    const offset = offsetOf(pair.value) ?? offsetOf(pair.key) ?? 0;
    this.remarks.push(duplicateKeyRemark(this.lines.linePos(offset).line, key));
    if (!this.duplicates.includes(path)) this.duplicates.push(path);
  }
}

function isMergeKey({ key }: Pair): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN' && key.tag === undefined;
}

function offsetOf(node: unknown): number | undefined {
  const range: unknown = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined;
  const start: unknown = Array.isArray(range) ? range[0] : undefined;
  return typeof start === 'number' ? start : undefined;
}

/** The share of a document that may come from aliases: nearly all of a small one, a tenth of a huge one. */
function allowedShare(nodes: number): number {
  const small = 400_000;
  const huge = 4_000_000;
  if (nodes <= small) return 0.99;
  return nodes >= huge ? 0.1 : 0.99 - (0.89 * (nodes - small)) / (huge - small);
}

function finite(value: JsonValue): JsonValue {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  throw new YamlProblem(`unsupported value: ${quote(name).slice(1, -1)}`);
}
