/** Builds plain values from parser events: exact integers, duplicate keys reported, aliases and merges within bounds. */
import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import { startOfScalar } from '../../runtime/codec/yaml/event-start.js';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { setOwn } from '../../runtime/objects/guards.js';
import { MAX_ALIASED_VALUES, MAX_DEPTH, MAX_TEXT_PROBLEMS } from './limits.js';
import { isAmbiguous, isAmbiguousKey, NOT_JSON, resolveNumber, resolvePlain } from './scalars.js';
import type { TextProblem } from './text-problem.js';

/** The documents of a text; `undefined` stands for an empty one. */
export interface Construction {
  readonly documents: readonly (JsonValue | undefined)[];
  readonly problems: readonly TextProblem[];
}

/** A finished value with what an alias to it costs. */
interface Anchored {
  /** Absent where it cannot be told; its key is then left out, so that one mistake does not look like two. */
  readonly value: JsonValue | undefined;
  /** Values in it, itself included, aliases expanded. */
  readonly size: number;
  /** Levels of nesting in it. */
  readonly height: number;
}

/** A mapping or list whose end has not been seen. */
interface Frame {
  readonly map: JsonObject | undefined;
  readonly list: JsonValue[];
  readonly anchor: string;
  /** The key that waits for its value. */
  key: string | undefined;
  keyStart: number;
  /** Whether that key is a merge key rather than a quoted `<<`. */
  isMerge: boolean;
  /** A key that cannot be used; its value is read and dropped. */
  skip: boolean;
  readonly merges: { readonly source: JsonValue; readonly start: number }[];
  size: number;
  height: number;
}

const MERGE_KEY = '<<';

/** Builds every document of `text` from the events of its parser. Linear in the events plus the bounded aliases. */
export function construct(text: string, events: readonly Event[]): Construction {
  return new Constructor(text).run(events);
}

class Constructor {
  private readonly documents: (JsonValue | undefined)[] = [];
  private readonly problems: TextProblem[] = [];
  private readonly frames: Frame[] = [];
  private readonly anchors = new Map<string, Anchored | 'open'>();
  private root: JsonValue | undefined;
  private aliased = 0;
  private exhausted = false;

  constructor(private readonly text: string) {}

  run(events: readonly Event[]): Construction {
    for (const event of events) {
      if (event.type === EVENT_ID.SCALAR) this.scalar(event);
      else if (event.type === EVENT_ID.MAPPING) this.open(event, {});
      else if (event.type === EVENT_ID.POP) this.close();
      else if (event.type === EVENT_ID.SEQUENCE) this.open(event, undefined);
      else if (event.type === EVENT_ID.ALIAS) this.alias(event.anchorStart, event.anchorEnd);
      if (this.exhausted) return { documents: [], problems: this.problems };
    }
    return { documents: this.documents, problems: this.problems };
  }

  private open(event: Event & { start: number; anchorStart: number; anchorEnd: number }, map: JsonObject | undefined) {
    const anchor = this.slice(event.anchorStart, event.anchorEnd);
    if (anchor !== '') this.anchors.set(anchor, 'open');
    if (this.expectsKey()) this.problem('KF1009', event.start, 'a key must be a string, not a mapping or a list');
    this.checkCollectionTag(event, map === undefined ? '!!seq' : '!!map');
    this.frames.push({
      map,
      list: [],
      anchor,
      key: undefined,
      keyStart: -1,
      isMerge: false,
      skip: false,
      merges: [],
      size: 1,
      height: 1,
    });
  }

  private checkCollectionTag(event: Event, allowed: string): void {
    if (!('tagStart' in event) || event.tagStart < 0) return;
    const tag = this.slice(event.tagStart, event.tagEnd);
    if (tag !== allowed && tag !== '!') this.unknownTag(tag, event.tagStart);
  }

  /** Ends the innermost mapping or list, or the document when none is open. */
  private close(): void {
    const frame = this.frames.pop();
    if (frame === undefined) {
      this.documents.push(this.root ?? undefined);
      this.root = undefined;
      this.anchors.clear();
      return;
    }
    if (frame.map !== undefined) for (const { source, start } of frame.merges) this.merge(frame.map, source, start);
    const done: Anchored = { value: frame.map ?? frame.list, size: frame.size, height: frame.height };
    if (frame.anchor !== '') this.anchors.set(frame.anchor, done);
    this.add(done);
  }

  private alias(start: number, end: number): void {
    const name = this.slice(start, end);
    const target = this.anchors.get(name);
    if (target === undefined || target === 'open') {
      const why = target === 'open' ? 'stands inside the value it refers to' : 'refers to no anchor before it';
      this.problem('KF1007', start - 1, `alias \`*${name}\` ${why}`);
      this.add({ value: undefined, size: 1, height: 0 });
      return;
    }
    this.aliased += target.size;
    if (this.aliased > MAX_ALIASED_VALUES) {
      this.fatal('KF1006', start - 1, `aliases add up to more than ${MAX_ALIASED_VALUES} values`);
    } else if (this.frames.length + target.height > MAX_DEPTH) {
      this.fatal('KF1006', start - 1, `aliases nest more than ${MAX_DEPTH} levels deep`);
    } else if (!this.expectsKey()) this.add(target);
    else if (typeof target.value === 'string') this.setKey(target.value, start - 1);
    else {
      this.problem('KF1009', start - 1, 'a key must be a string');
      this.dropKey();
    }
  }

  private scalar(event: ScalarEvent): void {
    const text = getScalarValue(this.text, event);
    const isKey = this.expectsKey();
    const value = isKey ? text : this.resolve(text, event);
    if (event.anchorStart >= 0) {
      this.anchors.set(this.slice(event.anchorStart, event.anchorEnd), { value, size: 1, height: 0 });
    }
    if (!isKey) {
      this.add({ value, size: 1, height: 0 });
    } else if (event.style === SCALAR_STYLE.PLAIN && (text === '' || text === '~' || text === 'null')) {
      this.problem('KF1009', Math.max(event.valueStart, 0), 'a key must be a string, not null');
      this.dropKey();
    } else if (event.style === SCALAR_STYLE.PLAIN && text === MERGE_KEY) this.setMergeKey(event.valueStart);
    else {
      if (event.style === SCALAR_STYLE.PLAIN && event.tagStart < 0 && isAmbiguousKey(text))
        this.ambiguousKey(text, event);
      this.setKey(text, startOfScalar(event));
    }
  }

  private ambiguousKey(text: string, event: ScalarEvent): void {
    const message = `the key \`${text}\` is the string "${text}" here, another one in YAML 1.1`;
    this.problem('KF1011', event.valueStart, message, `write "${text}" in quotes`);
  }

  private resolve(text: string, event: ScalarEvent): JsonValue | undefined {
    if (event.tagStart >= 0) return this.resolveTagged(text, this.slice(event.tagStart, event.tagEnd), event);
    if (event.style !== SCALAR_STYLE.PLAIN) return text;
    const value = resolvePlain(text);
    if (value === NOT_JSON) return this.notJson(text, event.valueStart);
    if (typeof value !== 'boolean' && isAmbiguous(text)) {
      const meant = typeof value === 'string' ? `the string "${text}"` : `the number ${value}`;
      this.problem(
        'KF1011',
        event.valueStart,
        `\`${text}\` is ${meant} in YAML 1.2, something else in YAML 1.1`,
        `write "${text}" in quotes, or the value that is meant`,
      );
    }
    return value;
  }

  private resolveTagged(text: string, tag: string, event: ScalarEvent): JsonValue | undefined {
    if (tag === '!' || tag === '!!str') return text;
    const value = tag === '!!int' || tag === '!!float' ? resolveNumber(text) : resolvePlain(text);
    if (value === NOT_JSON) return this.notJson(text, event.valueStart);
    const found = value === null ? '!!null' : typeof value === 'boolean' ? '!!bool' : '!!int';
    const wanted = tag === '!!float' ? '!!int' : tag;
    if (typeof value !== 'string' && found === wanted) return value;
    this.unknownTag(tag, event.tagStart);
    return undefined;
  }

  /** Hands a finished value to what encloses it. */
  private add(done: Anchored): void {
    const frame = this.frames.at(-1);
    if (frame === undefined) {
      this.root = done.value;
      return;
    }
    frame.size += done.size;
    frame.height = Math.max(frame.height, done.height + 1);
    if (frame.map === undefined) frame.list.push(done.value ?? null);
    else if (frame.skip) frame.skip = false;
    else if (frame.key === undefined)
      frame.skip = true; // A mapping or list as a key, reported when it began.
    else {
      if (frame.isMerge) frame.merges.push({ source: done.value ?? null, start: frame.keyStart });
      else if (done.value !== undefined) setOwn(frame.map, frame.key, done.value);
      frame.key = undefined;
    }
  }

  private expectsKey(): boolean {
    const frame = this.frames.at(-1);
    return frame?.map !== undefined && frame.key === undefined && !frame.skip;
  }

  private setKey(key: string, start: number): void {
    const frame = this.frames.at(-1);
    if (frame?.map === undefined) return;
    if (Object.hasOwn(frame.map, key)) {
      this.problem('KF1004', start, `key \`${key}\` is written twice in this mapping`, 'keep one of the two');
      this.dropKey();
    } else {
      frame.key = key;
      frame.keyStart = start;
      frame.isMerge = false;
    }
  }

  private setMergeKey(start: number): void {
    const frame = this.frames.at(-1);
    if (frame === undefined) return;
    if (frame.merges.length > 0) {
      this.problem('KF1004', start, 'key `<<` is written twice in this mapping', 'merge a list: `<<: [*a, *b]`');
    }
    frame.key = MERGE_KEY;
    frame.keyStart = start;
    frame.isMerge = true;
  }

  private dropKey(): void {
    const frame = this.frames.at(-1);
    if (frame !== undefined) frame.skip = true;
  }

  /** Takes over what a merged mapping has and the mapping itself does not; of several, the first wins. */
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
    this.problem('KF1010', start, 'merge key `<<` takes a mapping or a list of mappings');
  }

  private notJson(text: string, start: number): undefined {
    this.problem('KF1012', start, `\`${shorten(text)}\` is not a number that JSON can hold`);
    return undefined;
  }

  private unknownTag(tag: string, start: number): void {
    this.problem('KF1008', start, `tag \`${shorten(tag)}\` does not fit this value`, 'leave the tag out');
  }

  private fatal(code: TextProblem['code'], offset: number, message: string): void {
    this.problem(code, offset, message);
    this.exhausted = true;
  }

  private problem(code: TextProblem['code'], offset: number, message: string, suggestion?: string): void {
    if (this.problems.length < MAX_TEXT_PROBLEMS) this.problems.push({ code, offset, message, suggestion });
  }

  private slice(start: number, end: number): string {
    return start < 0 ? '' : this.text.slice(start, end);
  }
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
