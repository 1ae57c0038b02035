/** Prints TypeScript files through ts-morph's structures. */
import {
  IndentationText,
  NewLineKind,
  Project,
  QuoteKind,
  type StatementStructures,
  type WriterFunction,
} from 'ts-morph';
import type { OutputFile } from '../model.js';

/** What a file consists of: structures, or ready text. */
export type Statement = StatementStructures | WriterFunction | string;

/**
 * One project prints all files. It has no file system, loads no library files and never builds a program: structures
 * become text and the text is parsed once, which costs about 60 ms per megabyte.
 */
const project = new Project({
  useInMemoryFileSystem: true,
  skipLoadingLibFiles: true,
  manipulationSettings: {
    indentationText: IndentationText.TwoSpaces,
    newLineKind: NewLineKind.LineFeed,
    quoteKind: QuoteKind.Single,
  },
});

/** A file of these statements below its header line. The parsed source is let go of at once. */
export const printFile = (path: string, header: string, statements: readonly Statement[]): OutputFile => {
  const file = project.createSourceFile(path, { statements: [`${header}\n\n`, ...statements] }, { overwrite: true });
  const content = file.getFullText();
  project.removeSourceFile(file);
  return { path, content: content.endsWith('\n') ? content : `${content}\n` };
};
