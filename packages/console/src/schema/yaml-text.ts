/** Reads and prints the YAML of an object. Reads scalars as the SDK does in manifests; wide integers are a `bigint`. */
import {
  constructFromEvents,
  DUMP_SCHEMA,
  dump,
  EVENT_ID,
  type Event,
  parseEvents,
  type ScalarTagDefinition,
  type TagDefinition,
  YAMLException,
} from 'js-yaml';
import { manifestSchema } from '../../../../client/dynamic/yaml-schema.js';
import type { Place } from './place.js';
import { memberAt, rootNode, type YamlNode } from './yaml-nodes.js';

/** An error of the text. */
export interface YamlError {
  /** The first line is 1. */
  readonly line: number;
  readonly message: string;
}

export interface ReadText {
  readonly text: string;
  /** `null` for an empty text, and if there are errors. */
  readonly value: unknown;
  readonly errors: readonly YamlError[];
  /** The places of the values; `undefined` for an empty text, and if there are errors. */
  readonly root: YamlNode | undefined;
}

let last: ReadText | undefined;

/** Reads a text with one document. Keeps the last result, because form and text need the same one. */
export function readYaml(text: string): ReadText {
  if (last?.text !== text) last = read(text);
  return last;
}

function read(text: string): ReadText {
  try {
    const events = parseEvents(text, { maxDepth });
    const wrong = secondDocument(text, events) ?? tooManyAliases(text, events);
    if (wrong) return unreadable(text, wrong);
    const [value = null] = constructFromEvents(events, { source: text, schema: manifestSchema });
    return new GoodText(text, value, events);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    // Errors about the end belong to the last line with text.
    const at = Math.min(error.mark?.position ?? 0, text.trimEnd().length);
    return unreadable(text, { line: lineAt(text, at), message: error.reason });
  }
}

const unreadable = (text: string, error: YamlError): ReadText => ({
  text,
  value: null,
  errors: [error],
  root: undefined,
});

class GoodText implements ReadText {
  readonly text: string;
  readonly value: unknown;
  readonly errors = [];
  readonly #events: readonly Event[];
  #root: YamlNode | undefined;

  constructor(text: string, value: unknown, events: readonly Event[]) {
    this.text = text;
    this.value = value;
    this.#events = events;
  }

  /** Computed at its first use, because most callers need only the value. */
  get root(): YamlNode | undefined {
    this.#root ??= rootNode(this.text, this.#events);
    return this.#root;
  }
}

/** The greatest depth of nested values. */
const maxDepth = 1000;

function secondDocument(text: string, events: readonly Event[]): YamlError | undefined {
  const second = events.findIndex(({ type }, i) => i > 0 && type === EVENT_ID.DOCUMENT);
  if (second < 0) return undefined;
  const end = rootNode(text, events)?.to ?? 0;
  const at = Math.max(text.indexOf('\n---', Math.max(end - 1, 0)) + 1, 0);
  return { line: lineAt(text, at), message: 'one object only: remove the document that begins here' };
}

/** The most values of a text with all aliases replaced. */
const maxValues = 2_000_000;

/** Finds aliases that make a huge value from a small text. */
function tooManyAliases(text: string, events: readonly Event[]): YamlError | undefined {
  const sizes = new Map<string, number>();
  const open: { readonly anchor: string; readonly before: number }[] = [];
  let total = 0;
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) continue;
    if (event.type === EVENT_ID.POP) {
      const { anchor, before } = open.pop() ?? noAnchor;
      if (anchor !== '') sizes.set(anchor, total - before);
      continue;
    }
    const anchor = event.anchorStart < 0 ? '' : text.slice(event.anchorStart, event.anchorEnd);
    if (event.type === EVENT_ID.ALIAS) total += sizes.get(anchor) ?? 1;
    else total++;
    if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) open.push({ anchor, before: total - 1 });
    if (total > maxValues) return { line: 1, message: 'aliases make the object too large' };
  }
  return undefined;
}

const noAnchor = { anchor: '', before: 0 };

const isInteger = (tag: TagDefinition): tag is ScalarTagDefinition => tag.tagName === 'tag:yaml.org,2002:int';

/** Quotes texts that another reader could take for something else, and prints a `bigint` as digits. */
const printSchema = DUMP_SCHEMA.withTags(
  DUMP_SCHEMA.tags.filter(isInteger).map((tag) => ({
    ...tag,
    identify: (value: unknown) => typeof value === 'bigint' || tag.identify(value),
    represent: (value: unknown) => (typeof value === 'bigint' ? String(value) : tag.represent(value)),
  })),
);

/** Prints a value as `kubectl get -o yaml` does. Does not indent lists, and does not fold long lines. */
export const printYaml = (value: unknown): string =>
  dump(value, {
    schema: printSchema,
    seqNoIndent: true,
    lineWidth: -1,
    noRefs: true,
    skipInvalid: true,
    quoteStyle: 'double',
  });

/**
 * Returns the line of the innermost node on the way to a place. For a missing field, this is the object that lacks it.
 */
export function lineOf({ text, root }: ReadText, place: Place): number {
  let node = root;
  let offset = root?.from ?? 0;
  for (const step of place) {
    const member = node && memberAt(node, step);
    if (member === undefined) break;
    offset = (member.key ?? member.value).from;
    node = member.value;
  }
  return lineAt(text, offset);
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
