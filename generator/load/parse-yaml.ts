/** Reads the YAML (or JSON) text of one file into plain values, with every mistake that can be told apart. */
import { type Composed, compose } from './compose.js';
import { type Construction, construct } from './construct.js';
import { readQuickly } from './read-quickly.js';
import type { TextProblem } from './text-problem.js';

/** A stretch of a text that was composed by itself: the whole text, unless it holds a syntax error. */
export interface Part {
  readonly text: string;
  /** Where the part begins in the whole text. */
  readonly offset: number;
  readonly composed: Composed;
}

/**
 * Reads all documents of a text. Values are shared where the text uses aliases, so callers must not change them. A
 * syntax error costs the document it is in; the others are still read. Linear in the text's length.
 */
export function parseYaml(text: string): Construction {
  const quickly = readQuickly(text);
  if (quickly !== undefined) return { documents: quickly, problems: [] };
  return parseCarefully(text);
}

/** Reads a text in full. Exported for tests, which hold the quick reader against it. */
export function parseCarefully(text: string): Construction {
  const documents: Construction['documents'][number][] = [];
  const problems: TextProblem[] = [];
  for (const part of composeParts(text)) {
    const built = constructPart(part);
    for (const document of built.documents) documents.push(document);
    for (const problem of built.problems) problems.push({ ...problem, offset: problem.offset + part.offset });
  }
  return { documents, problems };
}

/** Composes a text as a whole, or document by document if the whole has a syntax error. */
export function composeParts(text: string): readonly Part[] {
  const whole: Part = { text, offset: 0, composed: compose(text) };
  if ('documents' in whole.composed || whole.composed.problem.code === 'KF1005') return [whole];
  const starts = documentStarts(text);
  if (starts.length === 1) return [whole];
  return starts.map((offset, index) => {
    const part = text.slice(offset, starts[index + 1]);
    return { text: part, offset, composed: compose(part) };
  });
}

/** A part with a syntax error counts as one empty document, so that the others keep their indexes. */
function constructPart({ text, composed }: Part): Construction {
  if ('problem' in composed) return { documents: [undefined], problems: [composed.problem] };
  return construct(text, composed.documents);
}

/** Where documents begin: at each `---` at the start of a line, which can mean nothing else. Directives prevent it. */
function documentStarts(text: string): readonly number[] {
  const starts = [0];
  if (/^%/m.test(text)) return starts;
  for (const match of text.matchAll(/^---(?=\s|$)/gm)) if (match.index > 0) starts.push(match.index);
  return starts;
}
