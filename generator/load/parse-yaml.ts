/** Reads the YAML (or JSON) text of one file into plain values, with every mistake that can be told apart. */
import { type Event, parseEvents, YAMLException } from 'js-yaml';
import { type Construction, construct } from './construct.js';
import { MAX_DEPTH } from './limits.js';
import type { TextProblem } from './yaml-problem.js';

type Events = { readonly events: readonly Event[] } | { readonly problem: TextProblem };

/**
 * Reads all documents of a text. Values are shared where the text uses aliases, so callers must not change them. A
 * syntax error costs the document it is in; the others are still read. Linear in the text's length.
 */
export function parseYaml(text: string): Construction {
  const whole = readEvents(text);
  if ('events' in whole) return construct(text, whole.events);
  const parts = splitDocuments(text);
  if (parts.length === 1) return { documents: [], problems: [whole.problem] };
  return joinParts(parts);
}

/** The parser's events for a text, or the first syntax error. Also used to find positions in a text known to be good. */
export function readEvents(text: string): Events {
  try {
    return { events: parseEvents(text, { maxDepth: MAX_DEPTH }) };
  } catch (error) {
    return { problem: toProblem(error) };
  }
}

function toProblem(error: unknown): TextProblem {
  if (!(error instanceof YAMLException)) {
    return { code: 'KF1003', offset: 0, message: `cannot be read as YAML: ${String(error)}` };
  }
  const offset = error.mark?.position ?? 0;
  if (error.reason.includes('maxDepth')) {
    return { code: 'KF1006', offset, message: `nested more than ${MAX_DEPTH} levels deep` };
  }
  const suggestion = error.reason.includes('tab char') ? 'indent with spaces' : undefined;
  return { code: 'KF1003', offset, message: error.reason, ...(suggestion === undefined ? {} : { suggestion }) };
}

interface Part {
  readonly text: string;
  readonly offset: number;
}

/** Cuts a text before each `---` that begins a line. YAML allows no other meaning for it; directives prevent the cut. */
function splitDocuments(text: string): readonly Part[] {
  if (/^%/m.test(text)) return [{ text, offset: 0 }];
  const starts = [0];
  for (const match of text.matchAll(/^---(?=\s|$)/gm)) if (match.index > 0) starts.push(match.index);
  return starts.map((start, index) => ({ text: text.slice(start, starts[index + 1]), offset: start }));
}

function joinParts(parts: readonly Part[]): Construction {
  const documents: Construction['documents'][number][] = [];
  const problems: TextProblem[] = [];
  for (const part of parts) {
    const read = readEvents(part.text);
    const built = 'events' in read ? construct(part.text, read.events) : { documents: [], problems: [read.problem] };
    if (part.offset > 0 || built.documents.length > 0)
      documents.push(...(built.documents.length > 0 ? built.documents : [undefined]));
    for (const problem of built.problems) problems.push({ ...problem, offset: problem.offset + part.offset });
  }
  return { documents, problems };
}
