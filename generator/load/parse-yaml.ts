/** Reads the YAML or JSON text of one file into plain values, and reports every mistake in it. */

import { Composer, CST, type Document, Lexer, Parser, type Scalar, visit, type YAMLParseError } from 'yaml';
import { firstDocument } from '../../runtime/codec/yaml/first-document.js';
import { scanYaml } from '../../runtime/codec/yaml/scan.js';
import { type Construction, construct } from './construct.js';
import type { TextProblem } from './decode-text.js';
import { MAX_DEPTH, MAX_TOKENS } from './limits.js';
import { readQuickly } from './read-quickly.js';

/** A part of a text that is composed alone: the whole text, unless it has a syntax error. */
export interface Part {
  readonly text: string;
  /** The offset of the part in the whole text. */
  readonly offset: number;
  readonly composed: Composed;
}

/**
 * Reads all documents of a text. Aliases share values, so callers must not change them. A document with a syntax error
 * is left out; the others are still read. Linear in the text's length.
 */
export function parseYaml(text: string): Construction {
  const quickly = readQuickly(text);
  if (quickly !== undefined) return { documents: quickly, problems: [] };
  return parseCarefully(text);
}

/** Reads a text in full. Exported for tests, which compare the quick reader with it, and have few tokens. */
export function parseCarefully(text: string, maxTokens = MAX_TOKENS): Construction {
  const documents: Construction['documents'][number][] = [];
  const problems: TextProblem[] = [];
  for (const part of composeParts(text, maxTokens)) {
    const built = constructPart(part);
    for (const document of built.documents) documents.push(document);
    for (const problem of built.problems) problems.push({ ...problem, offset: problem.offset + part.offset });
  }
  return { documents, problems };
}

/** Composes a text as a whole, or document by document if the whole has a syntax error. */
export function composeParts(text: string, maxTokens = MAX_TOKENS): readonly Part[] {
  const whole: Part = { text, offset: 0, composed: compose(text, maxTokens) };
  if ('documents' in whole.composed || whole.composed.problem.code === 'KF1005') return [whole];
  const starts = documentStarts(text);
  if (starts.length === 1) return [whole];
  return starts.map((offset, index) => {
    const part = text.slice(offset, starts[index + 1]);
    return { text: part, offset, composed: compose(part, maxTokens) };
  });
}

/** Returns an empty document for a part with a syntax error, so that the other documents keep their indexes. */
function constructPart({ text, composed }: Part): Construction {
  if ('problem' in composed) return { documents: [undefined], problems: [composed.problem] };
  return construct(text, composed.documents);
}

/**
 * Returns the offsets where documents begin: at each `---` at the start of a line, which has no other meaning. Returns
 * no further offsets if there are directives.
 */
function documentStarts(text: string): readonly number[] {
  const starts = [0];
  if (/^%/m.test(text)) return starts;
  for (const match of text.matchAll(/^---(?=\s|$)/gm)) if (match.index > 0) starts.push(match.index);
  return starts;
}

/** Documents of a text, or the first mistake in its syntax. */
type Composed = { readonly documents: readonly Document.Parsed[] } | { readonly problem: TextProblem };

/** Scalars keep their text. Keys are compared when values are made, which takes linear time. */
const options = { schema: 'failsafe', uniqueKeys: false, resolveKnownTags: false } as const;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds these characters
const UNPRINTABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/** Composes all documents of a text. Linear in its length; nothing recurses deeper than a few times `MAX_DEPTH`. */
function compose(text: string, maxTokens: number): Composed {
  const control = UNPRINTABLE.exec(text);
  if (control !== null) return refused('KF1003', control.index, 'control characters are not allowed');
  const { stackTraceLimit } = Error;
  // The package creates an error for every mistake. Without stack traces, a million of them take one second instead of
  // ten.
  Error.stackTraceLimit = 0;
  try {
    const composed = composeAll(text, maxTokens);
    const isSyntax = 'problem' in composed && composed.problem.code === 'KF1003';
    return (isSyntax ? composeIndented(text, maxTokens) : undefined) ?? composed;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Composes a document with lines in brackets or quotes that are indented less than YAML 1.2 requires. Servers accept
 * such manifests. Masks the texts that the parser rejects, as for request bodies. Returns `undefined` if that does not
 * help.
 */
function composeIndented(text: string, maxTokens: number): Composed | undefined {
  const document = firstDocument(text);
  if (document.text !== text) return undefined;
  const { masked } = scanYaml(document, { depth: MAX_DEPTH, tokens: maxTokens });
  if (masked === text) return undefined;
  const composed = composeAll(masked, maxTokens);
  if ('problem' in composed) return undefined;
  for (const each of composed.documents) visit(each, { Scalar: (_, node) => restore(node, text, masked) });
  return composed;
}

const tokenTypes = {
  PLAIN: 'scalar',
  QUOTE_SINGLE: 'single-quoted-scalar',
  QUOTE_DOUBLE: 'double-quoted-scalar',
} as const;
const isFlow = (type: Scalar['type']): type is keyof typeof tokenTypes =>
  typeof type === 'string' && type in tokenTypes;

/** Gives a scalar the text that was masked. */
function restore(node: Scalar, text: string, masked: string): void {
  const [start, end] = node.range ?? [0, 0];
  const source = text.slice(start, end);
  if (!isFlow(node.type) || source === masked.slice(start, end)) return;
  node.source = CST.resolveAsScalar({ type: tokenTypes[node.type], offset: start, indent: 0, source }).value;
}

function composeAll(text: string, maxTokens: number): Composed {
  const composer = new Composer(options);
  const parser = new Parser();
  const documents: Document.Parsed[] = [];
  let tokens = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++tokens > maxTokens) return refused('KF1005', parser.offset, `the text has more than ${maxTokens} tokens`);
    for (const token of parser.next(lexeme)) documents.push(...composer.next(token));
    if (parser.stack.length > MAX_DEPTH && isTooDeep(parser)) {
      return refused('KF1006', parser.offset - lexeme.length, `nested more than ${MAX_DEPTH} levels deep`);
    }
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end());
  const problem = firstProblem(text, [...documents, composer.streamInfo()]);
  return problem === undefined ? { documents } : { problem };
}

/** Returns the lowest entry of the stack, which is the document; the highest may be a scalar. */
function isTooDeep({ stack }: Parser): boolean {
  const { type } = stack.at(-1) ?? {};
  return type === 'block-map' || type === 'block-seq' || type === 'flow-collection';
}

/** The limit of YAML on the length of keys without `?`. No other reader of definitions enforces it. */
const TOLERATED = 'KEY_OVER_1024_CHARS';

type Mistake = Pick<YAMLParseError, 'code' | 'message' | 'pos'>;

function firstProblem(
  text: string,
  parts: readonly { readonly errors: readonly YAMLParseError[] }[],
): TextProblem | undefined {
  const errors = parts.flatMap((part) => part.errors.filter(({ code }) => code !== TOLERATED));
  const [first, ...others] = errors;
  if (first === undefined) return undefined;
  const least = others.reduce((before, each) => (each.pos[0] < before.pos[0] ? each : before), first);
  const { message, pos } = least;
  const suggestion = suggestionFor(least, text);
  return {
    code: 'KF1003',
    offset: pos[0],
    message: message.charAt(0).toLowerCase() + message.slice(1),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** Returns the cure of a mistake, if it is a common one. */
function suggestionFor({ code, pos }: Mistake, text: string): string | undefined {
  if (code === 'TAB_AS_INDENT') return 'indent with spaces';
  if (code === 'BLOCK_AS_IMPLICIT_KEY' || code === 'BLOCK_IN_FLOW') return 'a text with `: ` needs quotes';
  const follows = code === 'UNEXPECTED_TOKEN' || code === 'MISSING_CHAR';
  if (follows && (text[pos[0]] === '[' || text[pos[0]] === '{'))
    return 'in braces, a text with `[` or `{` needs quotes';
  return undefined;
}

const refused = (code: TextProblem['code'], offset: number, message: string): Composed => ({
  problem: { code, offset, message },
});
