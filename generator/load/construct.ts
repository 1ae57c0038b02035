/**
 * Builds plain values from composed documents: exact integers, an error for duplicate keys, limits for aliases and
 * merges.
 */
import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { setOwn } from '../../runtime/objects/guards.js';
import type { TextProblem } from './decode-text.js';
import { MAX_ALIASED_VALUES, MAX_DEPTH, MAX_TEXT_PROBLEMS } from './limits.js';
import { isAmbiguous, isAmbiguousKey, NOT_JSON, resolveNumber, resolvePlain } from './scalars.js';

/** The documents of a text; `undefined` for an empty one. */
export interface Construction {
  readonly documents: readonly (JsonValue | undefined)[];
  readonly problems: readonly TextProblem[];
}

/** A finished value with the cost of an alias to it. */
interface Built {
  /** `undefined` if the value is unknown. Then its key is left out, and one mistake is reported only once. */
  readonly value: JsonValue | undefined;
  /** Number of values in it and itself, with expanded aliases. */
  readonly size: number;
  /** Levels of nesting in it. */
  readonly height: number;
}

/** A name, a merge key, or `undefined` for an unusable key. */
type Key = { readonly name: string } | 'merge' | undefined;

type Mapping = YAMLMap.Parsed<ParsedNode, ParsedNode | null>;

const MERGE_KEY = '<<';
const CORE = 'tag:yaml.org,2002:';
const UNKNOWN: Built = { value: undefined, size: 1, height: 0 };

/** Builds every document of `text`. Linear in the nodes plus the bounded aliases. */
export function construct(text: string, documents: readonly Document.Parsed[]): Construction {
  const problems: TextProblem[] = [];
  const values: (JsonValue | undefined)[] = [];
  for (const document of documents) {
    const builder = new Builder(text, document, problems);
    const value = builder.build(document.contents, 0).value ?? undefined;
    if (builder.exhausted) return { documents: [], problems };
    values.push(value);
  }
  return { documents: values, problems };
}

/**
 * Returns the start of a node: of a quoted node at its quote, of a block at its `|` or `>`, of a missing node at its
 * place.
 */
export const startOf = (node: ParsedNode): number => node.range[0];

/** Returns whether a key merges other mappings into its own: `<<` without quotes or tag, or with the tag `!!merge`. */
export function isMergeKey(key: ParsedNode): boolean {
  if (!isScalar(key) || key.source !== MERGE_KEY) return false;
  return key.tag === undefined ? key.type === 'PLAIN' : key.tag === `${CORE}merge`;
}

class Builder {
  /** Whether a limit was exceeded, so that the whole text is rejected. */
  exhausted = false;
  private readonly anchors = new Map<string, Built | 'open'>();
  private aliased = 0;

  constructor(
    private readonly text: string,
    private readonly document: Document.Parsed,
    private readonly problems: TextProblem[],
  ) {}

  /** Builds a value that `depth` mappings and lists enclose. */
  build(node: ParsedNode | null, depth: number): Built {
    if (node === null || this.exhausted) return UNKNOWN;
    if (isAlias(node)) return this.alias(node.source, startOf(node), depth);
    if (isScalar(node)) return this.keep(node.anchor, { ...UNKNOWN, value: this.resolve(node) });
    if (depth >= MAX_DEPTH) return this.fatal(startOf(node), `nested more than ${MAX_DEPTH} levels deep`);
    if (node.anchor !== undefined) this.anchors.set(node.anchor, 'open');
    this.checkCollectionTag(node);
    return this.keep(node.anchor, isMap(node) ? this.mapping(node, depth) : this.list(node, depth));
  }

  private keep(anchor: string | undefined, built: Built): Built {
    if (anchor !== undefined) this.anchors.set(anchor, built);
    return built;
  }

  private checkCollectionTag(node: YAMLMap | YAMLSeq): void {
    const { tag, range } = node;
    if (tag !== undefined && tag !== (isMap(node) ? `${CORE}map` : `${CORE}seq`)) this.unknownTag(tag, range?.[0] ?? 0);
  }

  private list(node: YAMLSeq.Parsed, depth: number): Built {
    const value: JsonValue[] = [];
    let size = 1;
    let height = 0;
    for (const item of node.items) {
      const built = isPair(item) ? this.build(null, depth) : this.build(item, depth + 1);
      value.push(built.value ?? null);
      size += built.size;
      height = Math.max(height, built.height);
    }
    return { value, size, height: height + 1 };
  }

  private mapping(node: Mapping, depth: number): Built {
    const value: JsonObject = {};
    const merges: { readonly source: JsonValue; readonly start: number }[] = [];
    let size = 1;
    let height = 0;
    for (const pair of node.items) {
      const key = this.key(pair.key, depth, value);
      if (key === 'merge' && merges.length > 0) {
        const suggestion = 'merge a list: `<<: [*a, *b]`';
        this.problem('KF1004', startOf(pair.key), 'key `<<` is written twice in this mapping', suggestion);
      }
      const built = pair.value === null ? { ...UNKNOWN, value: null } : this.build(pair.value, depth + 1);
      size += built.size;
      height = Math.max(height, built.height);
      if (key === 'merge') merges.push({ source: built.value ?? null, start: startOf(pair.key) });
      else if (key !== undefined && built.value !== undefined) setOwn(value, key.name, built.value);
    }
    for (const { source, start } of merges) this.merge(value, source, start);
    return { value, size, height: height + 1 };
  }

  private key(node: ParsedNode, depth: number, map: JsonObject): Key {
    if (isMergeKey(node)) return 'merge';
    const start = startOf(node);
    const name = this.keyName(node, depth);
    if (name === undefined || !Object.hasOwn(map, name)) return name === undefined ? undefined : { name };
    this.problem('KF1004', start, `key \`${name}\` is written twice in this mapping`, 'keep one of the two');
    return undefined;
  }

  private keyName(node: ParsedNode, depth: number): string | undefined {
    const start = startOf(node);
    if (isAlias(node)) {
      const { value } = this.alias(node.source, start, depth);
      if (typeof value === 'string') return value;
      if (value !== undefined) this.problem('KF1009', start, 'a key must be a string');
      return undefined;
    }
    if (!isScalar(node)) {
      this.problem('KF1009', start, 'a key must be a string, not a mapping or a list');
      this.build(node, depth + 1);
      return undefined;
    }
    const text = node.source;
    this.keep(node.anchor, { ...UNKNOWN, value: text });
    if (node.type !== 'PLAIN') return text;
    if (text === '' || text === '~' || text === 'null') {
      this.problem('KF1009', start, 'a key must be a string, not null');
      return undefined;
    }
    if (node.tag === undefined && isAmbiguousKey(text)) {
      const message = `the key \`${text}\` is the string "${text}" here, but another string in YAML 1.1`;
      this.problem('KF1011', start, message, `write "${text}" in quotes`);
    }
    return text;
  }

  private alias(name: string, start: number, depth: number): Built {
    const target = this.anchors.get(name);
    if (target === undefined || target === 'open') {
      const why = target === 'open' ? 'is inside the value it refers to' : 'has no anchor before it';
      this.problem('KF1007', start, `alias \`*${name}\` ${why}`);
      return UNKNOWN;
    }
    this.aliased += target.size;
    if (this.aliased > MAX_ALIASED_VALUES)
      return this.fatal(start, `aliases add up to more than ${MAX_ALIASED_VALUES} values`);
    if (depth + target.height > MAX_DEPTH)
      return this.fatal(start, `aliases are nested more than ${MAX_DEPTH} levels deep`);
    return target;
  }

  private resolve(node: Scalar.Parsed): JsonValue | undefined {
    const { source: text, tag, type } = node;
    const start = startOf(node);
    if (tag !== undefined) return this.resolveTagged(text, tag, start);
    if (type !== 'PLAIN') return text;
    const value = resolvePlain(text);
    if (value === NOT_JSON) return this.notJson(text, start);
    if (typeof value !== 'boolean' && isAmbiguous(text)) {
      const meant = typeof value === 'string' ? `the string "${text}"` : `the number ${value}`;
      this.problem(
        'KF1011',
        start,
        `\`${text}\` is ${meant} in YAML 1.2, but something else in YAML 1.1`,
        `write "${text}" in quotes, or the value that you mean`,
      );
    }
    return value;
  }

  private resolveTagged(text: string, tag: string, start: number): JsonValue | undefined {
    if (tag === '!' || tag === `${CORE}str`) return text;
    const isNumber = tag === `${CORE}int` || tag === `${CORE}float`;
    const value = isNumber ? resolveNumber(text) : resolvePlain(text);
    if (value === NOT_JSON) return this.notJson(text, start);
    const fits = value === null ? tag === `${CORE}null` : typeof value === 'boolean' ? tag === `${CORE}bool` : isNumber;
    if (typeof value !== 'string' && fits) return value;
    this.unknownTag(tag, start);
    return undefined;
  }

  /** Merges a mapping into another one. Keys of the target win; if several mappings are merged, the first wins. */
  private merge(map: JsonObject, source: JsonValue, start: number): void {
    if (Array.isArray(source)) {
      for (const one of source) {
        if (Array.isArray(one)) this.wrongMerge(start);
        else this.merge(map, one, start);
      }
    } else if (typeof source === 'object' && source !== null) {
      for (const [key, value] of Object.entries(source)) {
        if (value !== undefined && !Object.hasOwn(map, key)) setOwn(map, key, value);
      }
    } else this.wrongMerge(start);
  }

  private wrongMerge(start: number): void {
    this.problem('KF1010', start, 'merge key `<<` must have a mapping or a list of mappings');
  }

  private notJson(text: string, start: number): undefined {
    this.problem('KF1012', start, `\`${shorten(text)}\` is not a number that JSON can hold`);
    return undefined;
  }

  /**
   * Reports a tag at its place. Nodes of the package do not keep it, so this finds the nearest tag before the value.
   */
  private unknownTag(tag: string, start: number): void {
    let at = start;
    let written = '';
    do {
      at = this.text.lastIndexOf('!', at - 1);
      written = /^!(?:<[^>\s]*>|[^\s,[\]{}]*)/.exec(this.text.slice(Math.max(at, 0), start))?.[0] ?? '';
    } while (at > 0 && this.document.directives.tagName(written, () => {}) !== tag);
    this.problem('KF1008', Math.max(at, 0), `tag \`${shorten(written)}\` does not fit this value`, 'leave the tag out');
  }

  private fatal(offset: number, message: string): Built {
    this.problem('KF1006', offset, message);
    this.exhausted = true;
    return UNKNOWN;
  }

  private problem(code: TextProblem['code'], offset: number, message: string, suggestion?: string): void {
    if (this.exhausted || this.problems.length >= MAX_TEXT_PROBLEMS) return;
    this.problems.push({ code, offset, message, suggestion });
  }
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
