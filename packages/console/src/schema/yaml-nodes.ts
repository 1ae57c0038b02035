/** Finds the place of each value in a YAML text, from the events of the parser. */
import { COLLECTION_STYLE, EVENT_ID, type Event, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';

/** A value in the text, without its anchor and its tag. */
export interface YamlNode {
  /** `block` is a text after `|` or `>`. */
  readonly kind: 'scalar' | 'block' | 'alias' | 'map' | 'list';
  /** Whether it is a map in braces, or a list in brackets. */
  readonly isFlow: boolean;
  /** Offsets of its first character and past its last, without comments. Equal for an empty value, as in `a:`. */
  readonly from: number;
  readonly to: number;
  /** Pairs of a map, or items of a list. */
  readonly members: readonly YamlMember[];
}

export interface YamlMember {
  /** Absent in lists. */
  readonly key?: YamlNode;
  /** The text of a key that is a scalar. */
  readonly name?: string;
  readonly value: YamlNode;
}

/** Returns the value of the first document; `undefined` if the text has none. */
export function rootNode(text: string, events: readonly Event[]): YamlNode | undefined {
  const first = events[1];
  if (first === undefined || first.type === EVENT_ID.POP || (isEmpty(first) && propertiesEnd(first) < 0))
    return undefined;
  return new NodeReader(text, events).read(0);
}

/** Returns the member with a name or an index. */
export const memberAt = ({ kind, members }: YamlNode, step: string | number): YamlMember | undefined =>
  kind === 'map' ? members.find(({ name }) => name === String(step)) : members[Number(step)];

class NodeReader {
  readonly #text: string;
  readonly #events: readonly Event[];
  /** The event to read next; the first one opens the document. */
  #at = 1;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  /** Reads a value. `before` is its place if it is empty. */
  read(before: number): YamlNode {
    const event = this.#events[this.#at++];
    switch (event?.type) {
      case EVENT_ID.SCALAR:
        return this.#scalar(event, before);
      case EVENT_ID.ALIAS:
        return { ...leaf, kind: 'alias', from: event.anchorStart - 1, to: event.anchorEnd };
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE:
        return this.#collection(event.type === EVENT_ID.MAPPING, event.start, event.style === COLLECTION_STYLE.FLOW);
      default:
        return { ...leaf, from: before, to: before };
    }
  }

  #scalar(event: ScalarEvent, before: number): YamlNode {
    if (isEmpty(event)) {
      const at = Math.max(before, propertiesEnd(event));
      return { ...leaf, from: at, to: at };
    }
    const { style, valueStart, valueEnd } = event;
    if (style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK) {
      const header = this.#text.lastIndexOf(style === SCALAR_STYLE.FOLDED_BLOCK ? '>' : '|', valueStart - 1);
      return { ...leaf, kind: 'block', from: header, to: valueEnd };
    }
    const quote = style === SCALAR_STYLE.PLAIN ? 0 : 1;
    return { ...leaf, from: valueStart - quote, to: valueEnd + quote };
  }

  #collection(isMap: boolean, from: number, isFlow: boolean): YamlNode {
    const members: YamlMember[] = [];
    let to = isFlow ? from + 1 : from;
    while (this.#at < this.#events.length && this.#events[this.#at]?.type !== EVENT_ID.POP) {
      const member = isMap ? this.#pair() : { value: this.read(after(this.#text, to, isFlow ? '' : '-')) };
      members.push(member);
      to = member.value.to;
    }
    this.#at++;
    return { kind: isMap ? 'map' : 'list', isFlow, from, to: isFlow ? closing(this.#text, to) : to, members };
  }

  #pair(): YamlMember {
    const event = this.#events[this.#at];
    const key = this.read(0);
    const value = this.read(after(this.#text, key.to, ':'));
    return event?.type === EVENT_ID.SCALAR ? { key, value, name: getScalarValue(this.#text, event) } : { key, value };
  }
}

const leaf = { kind: 'scalar', isFlow: false, members: [] } as const;

const isEmpty = (event: Event): boolean => event.type === EVENT_ID.SCALAR && event.valueStart < 0;

const propertiesEnd = (event: Event): number =>
  event.type === EVENT_ID.SCALAR ? Math.max(event.anchorEnd, event.tagEnd) : -1;

/** Returns the offset past a character if it comes next, after blanks and comments; else the same offset. */
function after(text: string, at: number, sign: string): number {
  const next = skipped(text, at, /(?:\s|#.*)*/y);
  return sign !== '' && text.startsWith(sign, next) ? next + sign.length : at;
}

/** Returns the offset past the next brace or bracket. */
const closing = (text: string, at: number): number => skipped(text, at, /(?:[\s,:]|#.*)*/y) + 1;

function skipped(text: string, at: number, blank: RegExp): number {
  blank.lastIndex = at;
  blank.test(text);
  return Math.max(at, blank.lastIndex);
}
