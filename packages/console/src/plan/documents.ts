/** Reads texts with any number of documents, and finds the line of each. */
import { type DynamicObject, ManifestError, readManifests } from 'kindforge/client';
import { placeIn } from '../schema/problems.js';

/** An object of a text, with its place there. */
export interface SourceDocument {
  readonly object: DynamicObject;
  /** Its document, with the marker before it. */
  readonly text: string;
  /** The line at which the document begins; the first line of the text is 1. */
  readonly line: number;
  /** The index of the object in a list. */
  readonly item?: number;
}

/** A wrong line of a text. */
interface LineProblem {
  readonly line: number;
  readonly message: string;
}

/** A text with documents that cannot be read. */
export class DocumentsError extends Error {
  override readonly name = 'DocumentsError';
  /** The first problem of each document, for the first documents that have one. */
  readonly problems: readonly LineProblem[];

  constructor(problems: readonly LineProblem[]) {
    super(problems.map(({ line, message }) => `line ${line}: ${message}`).join('\n'));
    this.problems = problems;
  }
}

const mostProblems = 20;

/** The longest step before the page can do something else, milliseconds. */
const sliceMs = 12;

/** Reads all documents of a text. Rejects with a `DocumentsError`, or with the reason of the signal. */
export async function readDocuments(text: string, signal?: AbortSignal): Promise<SourceDocument[]> {
  const documents: SourceDocument[] = [];
  const problems: LineProblem[] = [];
  let sliceEnd = performance.now() + sliceMs;
  for (const part of partsOf(text)) {
    if (performance.now() > sliceEnd) {
      await new Promise((resolve) => setTimeout(resolve));
      sliceEnd = performance.now() + sliceMs;
    }
    signal?.throwIfAborted();
    try {
      const objects = await readManifests(part.text);
      documents.push(...objects.map((object, item) => ({ object, ...part, ...(objects.length > 1 ? { item } : {}) })));
    } catch (error) {
      problems.push(problemOf(error, part));
      if (problems.length === mostProblems) break;
    }
  }
  if (problems.length > 0) throw new DocumentsError(problems);
  return documents;
}

interface Part {
  readonly text: string;
  readonly line: number;
}

/** Splits a text at its markers. A marker at the start of a line ends a document, even within a block of text. */
function* partsOf(text: string): Generator<Part> {
  let start = 0;
  let line = 1;
  const ends = [...text.matchAll(/^(?:---|\.\.\.)(?=[ \t\r\n]|$)/gm)].map(({ index, 0: marker }) =>
    marker === '---' ? index : index + marker.length,
  );
  for (const end of [...ends, text.length]) {
    const part = text.slice(start, end);
    if (!isBlank(part)) yield { text: part, line };
    for (let at = part.indexOf('\n'); at >= 0; at = part.indexOf('\n', at + 1)) line++;
    start = end;
  }
}

/** Returns whether a part has only comments, directives and markers. */
const isBlank = (part: string): boolean =>
  part.split('\n').every((line) => /^\s*(?:[#%].*|(?:---|\.\.\.)\s*(?:#.*)?)?$/.test(line));

function problemOf(error: unknown, { text, line }: Part): LineProblem {
  const message = error instanceof Error ? error.message : String(error);
  const inDocument = error instanceof ManifestError ? error.line : undefined;
  return {
    line: line + (inDocument ?? firstLine(text)) - 1,
    // The part has only one document, and the message already has the line.
    message: (message.split('\n')[0] ?? '').replace(/\bdocument 1\b/, 'this document').replace(/ \(\d+:\d+\)$/, ''),
  };
}

/** Returns the first line of a document with content. */
const firstLine = (text: string): number =>
  text.split('\n').findIndex((line) => !/^(?:---|\.\.\.)?\s*(?:#.*)?$/.test(line)) + 1;

/** The largest document in which to find the lines of fields, characters. Larger ones are marked at their beginning. */
const largest = 100_000;

/** Returns the line of a field in the text, or of the nearest existing field around it. */
export async function lineOfField({ object, text, line, item }: SourceDocument, path: string): Promise<number> {
  if (text.length > largest) return line + firstLine(text) - 1;
  const { lineOf, readYaml } = await import('../schema/yaml-text.js');
  const place = placeIn(path.replace(/^\./, ''), object);
  return line + lineOf(readYaml(text), item === undefined ? place : ['items', item, ...place]) - 1;
}
