/** Turns the descriptions and bounds of schemas into JSDoc. */
import type { JsonValue, Schema } from '../../../runtime/contract/index.js';
import { LINE_WIDTH, printLiteral, toLiteral } from './literal.js';

/** Maximum number of characters of a value in a comment. */
const LONGEST_VALUE = 100;

/** Lines that must stay separate: list items, indented code, headings, tables, fences. */
const OWN_LINE = /^(\s|[-*+] |\d+[.)] |#|\||```)/;

/** Makes text harmless inside a comment: it cannot end the comment, and none of its lines begins a tag. */
export const escapeComment = (text: string): string =>
  text
    .replace(/\*\//g, '*\\/')
    .replace(/^([^\S\r\n\u2028\u2029]*)@/gm, '$1\\@')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a source file must not contain these characters
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f\ufeff]/g, '')
    .replace(/[\u2028\u2029]/g, '\n');

const wrapLine = (line: string, width: number): string[] => {
  if (line.length <= width) return [line];
  const indent = OWN_LINE.test(line) ? (/^\s*([-*+] |\d+[.)] )?/.exec(line)?.[0].length ?? 0) : 0;
  const lines: string[] = [];
  let current = '';
  for (const word of line.slice(indent).split(' ')) {
    const start = lines.length === 0 ? line.slice(0, indent) : ' '.repeat(indent);
    if (current !== '' && start.length + current.length + 1 + word.length > width) {
      lines.push(start + current);
      current = word;
    } else {
      current = current === '' ? word : `${current} ${word}`;
    }
  }
  lines.push((lines.length === 0 ? line.slice(0, indent) : ' '.repeat(indent)) + current);
  return lines;
};

/**
 * Breaks text at spaces into lines of at most `width` characters, except for longer words. Keeps line breaks, but not
 * tabs.
 */
export const wrap = (text: string, width: number): string[] =>
  text.split('\n').flatMap((line) => wrapLine(line.replaceAll('\t', '  ').trimEnd(), width));

const shortValue = (value: JsonValue): string | undefined => {
  const text = printLiteral(toLiteral(value));
  return text.length > LONGEST_VALUE || text.includes('\n') ? undefined : text;
};

/** Formats that add a fact to the type. */
const TELLING_FORMATS = new Set(['int32', 'float', 'double', 'quantity']);

const tag = (name: string, value: string | number | bigint | undefined): string[] =>
  value === undefined || value === '' ? [] : [`@${name} ${escapeComment(String(value))}`];

/** Returns defaults, ranges and patterns as JSDoc tags. */
export const tagsOf = (schema: Schema): string[] => {
  const fits = schema.pattern !== undefined && schema.pattern.length <= LONGEST_VALUE && !/[\r\n]/.test(schema.pattern);
  const format = schema.format !== undefined && !TELLING_FORMATS.has(schema.format) ? schema.format : undefined;
  return [
    ...(schema.default === undefined ? [] : tag('default', shortValue(schema.default))),
    ...tag('format', format),
    ...tag(schema.exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum', schema.minimum),
    ...tag(schema.exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum', schema.maximum),
    ...tag('multipleOf', schema.multipleOf),
    ...tag('minLength', schema.minLength),
    ...tag('maxLength', schema.maxLength),
    ...tag('pattern', fits ? schema.pattern : undefined),
    ...tag('minItems', schema.minItems),
    ...tag('maxItems', schema.maxItems),
    ...tag('minProperties', schema.minProperties),
    ...tag('maxProperties', schema.maxProperties),
  ];
};

interface Description {
  readonly text: string;
  /** The paragraph that begins with `Deprecated:`, which moves to the tags at the end. */
  readonly deprecated: string | undefined;
}

const splitDescription = (description: string): Description => {
  const paragraphs = description
    .replace(/\r\n?/g, '\n')
    .trim()
    .split(/\n\s*\n/);
  const at = paragraphs.findIndex((paragraph) => /^deprecated:/i.test(paragraph.trim()));
  if (at < 0) return { text: paragraphs.join('\n\n'), deprecated: undefined };
  const deprecated = (paragraphs[at] ?? '').trim().replace(/^deprecated:\s*/i, '');
  return { text: paragraphs.filter((_, index) => index !== at).join('\n\n'), deprecated };
};

/**
 * Returns the text of a JSDoc comment, without its markers; empty if there is nothing to write.
 * @param column - the column of the comment's indentation.
 */
export const docText = (description: string, tags: readonly string[], column: number): string => {
  const width = LINE_WIDTH - column - 3;
  const { text, deprecated } = splitDescription(description);
  const body = text === '' ? [] : wrap(escapeComment(text), width);
  const allTags = deprecated === undefined ? tags : [`@deprecated ${escapeComment(deprecated)}`, ...tags];
  const tagLines = allTags.flatMap((line) => wrap(line, width));
  const gap = body.length > 0 && tagLines.length > 0 ? [''] : [];
  const lines = [...body, ...gap, ...tagLines];
  // One line fits between both markers. If they leave no room for it, it starts with a line break, so that it gets a
  // line of its own.
  const [only = ''] = lines;
  return lines.length === 1 && only.length > width - 4 ? `\n${only}` : lines.join('\n');
};

/** Returns the JSDoc of a property: the whole text, and the part of it that follows from the schema's bounds. */
export const fieldDoc = (schema: Schema, column: number): { readonly doc: string; readonly tags: string } => {
  const tags = tagsOf(schema);
  return { doc: docText(withReleases(schema), tags, column), tags: docText('', tags, column) };
};

/** Returns the description of a field, followed by the releases that have it if not all do. */
const withReleases = (schema: Schema): string => {
  const { description = '', 'x-kindforge-introduced': introduced, 'x-kindforge-removed': removed } = schema;
  const words = [
    ...(introduced === undefined ? [] : [`Since release ${introduced}.`]),
    ...(removed === undefined ? [] : [`Removed in release ${removed}.`]),
  ];
  return words.length === 0 ? description : [description.trimEnd(), ...words].join(' ').trimStart();
};
