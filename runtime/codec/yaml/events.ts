/** Parses the first document of a text into events. */
import {
  CHOMPING_MODE,
  COLLECTION_STYLE,
  type DocumentDirective,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml';
import { describeOpenTag, describeVersion, describeYamlError } from './errors.js';
import { firstDocument } from './first-document.js';
import { scanYaml, type YamlBounds } from './scan.js';

/** A document as a sequence of events with offsets in its text. */
export interface YamlEvents {
  readonly text: string;
  readonly events: readonly Event[];
  /** Returns the text of a scalar. */
  readonly scalarText: (scalar: ScalarEvent) => string;
}

/** A document, or its problem and the offset of that. */
export type ParsedYaml =
  | ({ readonly ok: true } & YamlEvents)
  | { readonly ok: false; readonly problem: string; readonly offset: number };

type Parsed = readonly Event[] | YAMLException;

/**
 * Texts that the parser may read differently from API servers: with a colon or a dash before a bracket, a comment right
 * after a bracket or quote, a tag, or a block that is the whole document.
 */
const suspicious = /[-:][,[\]{}]|[\]}"']#|(?:^|[\s,[{])!|^(?:---)?\s*[|>]/;

/** Parses the first document of a text. Takes time and memory linear in the text, within the bounds. */
export function parseDocument(body: string, bounds: YamlBounds): ParsedYaml {
  const document = firstDocument(body);
  let source = document.text;
  // No text has more tokens than characters.
  if (source.length > bounds.tokens || suspicious.test(source)) {
    const scan = scanYaml(document, bounds);
    if (scan.excess !== undefined) return { ok: false, problem: scan.excess, offset: 0 };
    if (scan.openTag !== undefined) return { ok: false, ...describeOpenTag(document.text, scan.openTag) };
    source = scan.masked;
  }
  let events = parse(source, bounds.depth);
  if (isDeficient(events) && source === document.text) {
    source = scanYaml(document, bounds).masked;
    events = parse(source, bounds.depth);
  }
  if (events instanceof YAMLException) events = parseRoot(events, source, document.start, bounds.depth);
  if (events instanceof YAMLException) return { ok: false, ...describeYamlError(events, document.text) };
  const { text } = document;
  const [first] = events;
  if (first?.type === EVENT_ID.DOCUMENT && first.directives.some(isOtherVersion)) {
    return { ok: false, ...describeVersion(text) };
  }
  return { ok: true, text, events, scalarText: (scalar) => scalarText(scalar, text, source !== text) };
}

/** Returns the text of a scalar. If parts are masked, the offsets of the parser are valid, but its text is not. */
function scalarText(scalar: ScalarEvent, text: string, masked: boolean): string {
  const value = getScalarValue(text, masked ? { ...scalar, fast: false } : scalar);
  const isBlock = scalar.style === SCALAR_STYLE.LITERAL_BLOCK || scalar.style === SCALAR_STYLE.FOLDED_BLOCK;
  // The parser adds a line break to the last line if it has none.
  const added = isBlock && scalar.valueEnd === text.length && scalar.chomping !== CHOMPING_MODE.STRIP;
  return added && !/[\r\n]$/.test(text) ? value.replace(/\n$/, '') : value;
}

/** Returns whether a directive is for another version than YAML 1.1, which API servers read. */
const isOtherVersion = (directive: DocumentDirective): boolean =>
  directive.kind === 'yaml' && directive.version !== '1.1';

const isDeficient = (events: Parsed): boolean =>
  events instanceof YAMLException && events.reason === 'deficient indentation';

/**
 * Parses the root. API servers ignore text after a root that is a text or is in brackets. After any other root they
 * ignore text that begins further left.
 */
function parseRoot(error: YAMLException, source: string, start: number, maxDepth: number): Parsed {
  const at = error.mark?.position ?? 0;
  if (!error.reason.startsWith('end of the stream') || source.slice(start, at).trim() === '') return error;
  if (/^[@`%]/.test(source.slice(at, at + 1)) || isKey(source, at)) return error;
  const events = parse(source.slice(0, at), maxDepth);
  if (events instanceof YAMLException) return error;
  const [, root] = events;
  return isBlock(root) && columnOf(source, at) >= columnOf(source, startOfNode(source, root)) ? error : events;
}

const columnOf = (source: string, at: number): number =>
  at - Math.max(source.lastIndexOf('\n', at - 1), source.lastIndexOf('\r', at - 1));

/** Returns whether the rest of the line has an indicator that makes the text before it a key. */
function isKey(source: string, at: number): boolean {
  const line = source.slice(Math.max(0, at - 1000), at);
  const gap = line.slice(line.trimEnd().length);
  return !/[\r\n]/.test(gap) && /^(?:[?-](?:\s|$)|[^\r\n]*:(?:\s|$))/.test(source.slice(at));
}

function isBlock(root: Event | undefined): root is Event {
  const isCollection = root?.type === EVENT_ID.SEQUENCE || root?.type === EVENT_ID.MAPPING;
  return isCollection && root.style === COLLECTION_STYLE.BLOCK;
}

function parse(text: string, maxDepth: number): Parsed {
  try {
    return parseEvents(text, { maxDepth });
  } catch (error) {
    if (error instanceof YAMLException) return error;
    throw error;
  }
}

/**
 * Returns the start of a scalar, with its quote. For a block this is the start of its first line. Returns -1 if it is
 * not written.
 */
function startOfScalar(event: ScalarEvent): number {
  const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  return quoted ? event.valueStart - 1 : event.valueStart;
}

/** Returns the start of a value. For a block this is its `|` or `>`. Returns -1 if it is not written. */
function startOfValue(text: string, event: ScalarEvent): number {
  if (event.style === SCALAR_STYLE.LITERAL_BLOCK) return text.lastIndexOf('|', event.valueStart - 1);
  if (event.style === SCALAR_STYLE.FOLDED_BLOCK) return text.lastIndexOf('>', event.valueStart - 1);
  return startOfScalar(event);
}

/** Returns the start of a node, with its anchor and tag. Returns -1 if it is not written. */
export function startOfNode(text: string, event: Event): number {
  if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) return -1;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  const properties = [event.anchorStart - 1, event.tagStart].filter((start) => start >= 0);
  if (properties.length > 0) return Math.min(...properties);
  return event.type === EVENT_ID.SCALAR ? startOfValue(text, event) : event.start;
}
