/** Reads the YAML (or JSON) text of one file into plain values, with every mistake that can be told apart. */
import { type Event, parseEvents, YAMLException } from 'js-yaml';
import { type Construction, construct } from './construct.js';
import { MAX_DEPTH } from './limits.js';
import type { TextProblem } from './text-problem.js';

/** A stretch of a text that was parsed by itself: the whole text, unless it holds a syntax error. */
export interface Part {
  readonly text: string;
  /** Where the part begins in the whole text. */
  readonly offset: number;
  readonly parsed: { readonly events: readonly Event[] } | { readonly problem: TextProblem };
}

/**
 * Reads all documents of a text. Values are shared where the text uses aliases, so callers must not change them. A
 * syntax error costs the document it is in; the others are still read. Linear in the text's length.
 */
export function parseYaml(text: string): Construction {
  const documents: Construction['documents'][number][] = [];
  const problems: TextProblem[] = [];
  for (const part of parseParts(text)) {
    const built = constructPart(part);
    for (const document of built.documents) documents.push(document);
    for (const problem of built.problems) problems.push({ ...problem, offset: problem.offset + part.offset });
  }
  return { documents, problems };
}

/** Parses a text as a whole, or document by document where the whole has a syntax error. */
export function parseParts(text: string): readonly Part[] {
  const whole: Part = { text, offset: 0, parsed: parse(text) };
  if ('events' in whole.parsed) return [whole];
  const starts = documentStarts(text);
  if (starts.length === 1) return [whole];
  return starts.map((offset, index) => {
    const part = text.slice(offset, starts[index + 1]);
    return { text: part, offset, parsed: parse(part) };
  });
}

function parse(text: string): Part['parsed'] {
  try {
    return { events: parseEvents(text, { maxDepth: MAX_DEPTH }) };
  } catch (error) {
    return { problem: toProblem(error) };
  }
}

/** A part with a syntax error counts as one empty document, so that the others keep their indexes. */
function constructPart({ text, parsed }: Part): Construction {
  return 'events' in parsed ? construct(text, parsed.events) : { documents: [undefined], problems: [parsed.problem] };
}

function toProblem(error: unknown): TextProblem {
  if (!(error instanceof YAMLException)) {
    return { code: 'KF1003', offset: 0, message: `cannot be read as YAML: ${String(error)}` };
  }
  const offset = error.mark?.position ?? 0;
  if (error.reason.includes('maxDepth')) {
    return { code: 'KF1006', offset, message: `nested more than ${MAX_DEPTH} levels deep` };
  }
  const message = error.reason;
  const suggestion = message.includes('tab char') ? { suggestion: 'indent with spaces' } : {};
  return { code: 'KF1003', offset, message, ...suggestion };
}

/** Where documents begin: at each `---` at the start of a line, which can mean nothing else. Directives prevent it. */
function documentStarts(text: string): readonly number[] {
  const starts = [0];
  if (/^%/m.test(text)) return starts;
  for (const match of text.matchAll(/^---(?=\s|$)/gm)) if (match.index > 0) starts.push(match.index);
  return starts;
}
