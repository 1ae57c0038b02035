/** Converts the events of a YAML document to a JSON value, within bounds. */
import { EVENT_ID, type Event, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { setOwn } from '../../objects/guards.js';
import { lineCounter, type SourcePosition } from '../../objects/lines.js';
import { byCodePoint, formatNumber, formatSource, quote } from '../../objects/printing.js';
import { duplicateKeyRemark } from '../remarks.js';
import { startOfNode, type YamlEvents } from './events.js';
import {
  checkEscapes,
  coreTag,
  floatKey,
  resolveAliases,
  resolvePlain,
  resolveTagged,
  tagNames,
  YamlProblem,
} from './scalars.js';

const maxRemarks = 100;

/** The pairs of a mapping read so far. */
type Entries = Map<string, JsonValue>;

/** Reads one document. Each instance may be used only once. */
export class YamlReader {
  readonly duplicates: string[] = [];
  readonly remarks: string[] = [];
  /** The index of the next event. */
  private next = 0;
  private readonly targets: ReadonlyMap<number, number>;
  /** Nodes in progress. An alias to one of them would have no end. */
  private readonly open = new Set<number>();
  private insideAliases = 0;
  private nodes = 0;
  private aliasedNodes = 0;
  private readonly tagName: (tag: string) => string;
  private placeOf: ((offset: number) => SourcePosition) | undefined;

  constructor(
    private readonly document: YamlEvents,
    private readonly maxDepth: number,
  ) {
    this.targets = resolveAliases(document);
    const [first] = document.events;
    this.tagName = tagNames(first?.type === EVENT_ID.DOCUMENT ? first.directives : []);
  }

  /** Reads the value of the document, with sorted keys of objects. Returns null for an empty document. */
  readDocument(): JsonValue {
    if (this.document.events.length === 0) return null;
    this.next = 1;
    return this.read('', 0);
  }

  /** Reads the next node. `path` is the place of its value. */
  private read(path: string, depth: number): JsonValue {
    if (depth > this.maxDepth) throw new YamlProblem('exceeded max depth');
    this.count();
    const index = this.next++;
    const event = this.event(index);
    switch (event.type) {
      case EVENT_ID.ALIAS:
        return this.follow(index, () => this.read(path, depth + 1));
      case EVENT_ID.SCALAR:
        return this.scalar(event);
      case EVENT_ID.SEQUENCE:
        return this.within(index, () => this.list(path, depth));
      case EVENT_ID.MAPPING:
        return this.within(index, () => this.map(path, depth));
      default:
        throw new YamlProblem('unexpected end of document');
    }
  }

  private event(index: number): Event {
    const event = this.document.events[index];
    if (event === undefined) throw new YamlProblem('unexpected end of document');
    return event;
  }

  /** Counts a node. Refuses alias bombs: documents with too many of their nodes from aliases. */
  private count(): void {
    this.nodes++;
    if (this.insideAliases > 0) this.aliasedNodes++;
    const tooMany =
      this.aliasedNodes > 100 && this.nodes > 1000 && this.aliasedNodes / this.nodes > allowedShare(this.nodes);
    if (tooMany) throw new YamlProblem('document contains excessive aliasing');
  }

  /** Reads the node that an alias refers to, then goes on after the alias. */
  private follow<T>(alias: number, read: () => T): T {
    const target = this.targets.get(alias) ?? 0;
    if (this.open.has(target)) throw new YamlProblem(`anchor '${this.anchorOf(alias)}' value contains itself`);
    this.insideAliases++;
    const value = this.at(target, read);
    this.insideAliases--;
    return value;
  }

  /** Reads at another event, then goes on here. */
  private at<T>(index: number, read: () => T): T {
    const next = this.next;
    this.next = index;
    const value = read();
    this.next = next;
    return value;
  }

  private anchorOf(alias: number): string {
    const event = this.event(alias);
    return event.type === EVENT_ID.ALIAS ? this.document.text.slice(event.anchorStart, event.anchorEnd) : '';
  }

  private within<T>(index: number, read: () => T): T {
    this.open.add(index);
    const value = read();
    this.open.delete(index);
    return value;
  }

  private scalar(event: ScalarEvent): JsonValue {
    if (event.style === SCALAR_STYLE.DOUBLE_QUOTED && !event.fast) {
      checkEscapes(this.document.text, event.valueStart, event.valueEnd);
    }
    const text = this.document.scalarText(event);
    if (event.tagStart < 0) return event.style === SCALAR_STYLE.PLAIN ? finite(resolvePlain(text)) : text;
    const tag = this.tagName(this.document.text.slice(event.tagStart, event.tagEnd));
    const resolved = resolveTagged(tag, text);
    if (!resolved.ok) throw new YamlProblem(resolved.problem);
    return finite(resolved.value);
  }

  private list(path: string, depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    while (!this.ends()) items.push(this.read(`${path}[${items.length}]`, depth + 1));
    return items;
  }

  /** Returns whether the list or mapping ends here, and skips its end. */
  private ends(): boolean {
    if (this.event(this.next).type !== EVENT_ID.POP) return false;
    this.next++;
    return true;
  }

  private map(path: string, depth: number): JsonObject {
    const entries: Entries = new Map();
    this.pairs(entries, path, depth);
    const object: JsonObject = {};
    for (const key of [...entries.keys()].sort(byCodePoint)) setOwn(object, key, entries.get(key) ?? null);
    return object;
  }

  private pairs(entries: Entries, path: string, depth: number): void {
    while (!this.ends()) {
      const keyIndex = this.next;
      if (this.isMergeKey(keyIndex)) {
        this.next++;
        this.merge(entries, path, depth + 1);
      } else {
        const key = this.key(path, depth + 1);
        const name = nameOf(key);
        const place = path === '' ? name : `${path}.${name}`;
        if (entries.has(name)) this.repeated(keyIndex, this.next, key, place);
        entries.set(name, this.read(place, depth + 1));
      }
    }
  }

  /** Reads a key. A float becomes the text of a 32-bit float in Go, as in API servers. */
  private key(path: string, depth: number): JsonValue {
    const event = this.event(this.next);
    const float = event.type === EVENT_ID.SCALAR ? floatKey(event, this.document.scalarText(event)) : undefined;
    if (float === undefined) return this.read(path, depth);
    this.count();
    this.next++;
    return float;
  }

  /** Returns whether a key is `<<`, either without quotes and tag, or with the tag `!!merge`. */
  private isMergeKey(index: number): boolean {
    const event = this.event(index);
    if (event.type !== EVENT_ID.SCALAR || event.valueEnd - event.valueStart !== 2) return false;
    if (this.document.scalarText(event) !== '<<') return false;
    if (event.tagStart < 0) return event.style === SCALAR_STYLE.PLAIN;
    return this.tagName(this.document.text.slice(event.tagStart, event.tagEnd)) === `${coreTag}merge`;
  }

  /** Merges a mapping, or each mapping of a list from the last to the first, into another mapping. */
  private merge(entries: Entries, path: string, depth: number): void {
    const index = this.next++;
    if (this.event(index).type !== EVENT_ID.SEQUENCE) {
      this.at(index, () => this.mergeOne(entries, path, depth));
      this.next = this.behind(index);
      return;
    }
    const items: number[] = [];
    while (!this.ends()) {
      items.push(this.next);
      this.next = this.behind(this.next);
    }
    for (const item of items.reverse()) this.at(item, () => this.mergeOne(entries, path, depth));
  }

  private mergeOne(entries: Entries, path: string, depth: number): void {
    if (depth > this.maxDepth) throw new YamlProblem('exceeded max depth');
    this.count();
    const index = this.next++;
    const { type } = this.event(index);
    if (type === EVENT_ID.MAPPING) this.within(index, () => this.pairs(entries, path, depth));
    else if (type === EVENT_ID.ALIAS && this.event(this.targets.get(index) ?? 0).type === EVENT_ID.MAPPING) {
      this.follow(index, () => this.mergeOne(entries, path, depth + 1));
    } else throw new YamlProblem('map merge requires map or sequence of maps as the value');
  }

  /** Returns the index of the event after a node. */
  private behind(index: number): number {
    let open = 0;
    for (let at = index; ; at++) {
      const { type } = this.event(at);
      if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) open++;
      else if (type === EVENT_ID.POP) open--;
      if (open === 0) return at + 1;
    }
  }

  private repeated(keyIndex: number, valueIndex: number, key: JsonValue, path: string): void {
    if (this.remarks.length >= maxRemarks) return;
    this.remarks.push(duplicateKeyRemark(this.line(valueIndex) ?? this.line(keyIndex) ?? 1, key));
    if (!this.duplicates.includes(path)) this.duplicates.push(path);
  }

  /** Returns the line of a node, or `undefined` if it is not written. */
  private line(index: number): number | undefined {
    const offset = startOfNode(this.document.text, this.event(index));
    this.placeOf ??= lineCounter(this.document.text);
    return offset < 0 ? undefined : this.placeOf(offset).line;
  }
}

/** Returns the text of a value as a key. */
function nameOf(key: JsonValue): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'number' || typeof key === 'bigint') return formatNumber(key);
  if (typeof key === 'boolean') return String(key);
  if (key === null) throw new YamlProblem('a map key must not be null');
  throw new YamlProblem(
    `invalid map key: ${formatSource(key).replaceAll('map[string]interface {}', 'map[interface {}]interface {}')}`,
  );
}

/**
 * Returns the share of a document that may come from aliases: nearly all of a small document, a tenth of a huge one.
 */
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
