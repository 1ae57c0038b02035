/** Prints TypeScript files through ts-morph's structures. */
import {
  IndentationText,
  NewLineKind,
  Project,
  QuoteKind,
  type StatementStructures,
  type WriterFunction,
} from 'ts-morph';
import { lazyFile, type OutputFile } from '../../write/output-file.js';
import { LINE_WIDTH } from './literal.js';

/** A part of a file: a structure, or ready text. */
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

/** Returns a file of these statements below its header, which is printed when its content is first used. */
export const printFile = (path: string, header: string, statements: readonly Statement[]): OutputFile =>
  lazyFile(path, undefined, () => print(path, header, statements));

/** Removes spaces at the ends of lines and repeated empty lines, and ends the text with one line break. */
const tidy = (text: string): string =>
  `${text
    .replace(/(?<! ) +\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;

/** Prints `import { a, b } from 'c';` or a similar statement, on several full lines if one is too short. */
export const namesStatement = (keyword: string, names: readonly string[], module: string): string => {
  const line = `${keyword} { ${names.join(', ')} } from '${module}';`;
  if (line.length <= LINE_WIDTH) return line;
  const lines: string[] = [];
  for (const name of names) {
    const longer = `${lines.at(-1) ?? ''} ${name},`;
    if (lines.length === 0 || longer.length > LINE_WIDTH) lines.push(`  ${name},`);
    else lines[lines.length - 1] = longer;
  }
  return `${keyword} {\n${lines.join('\n')}\n} from '${module}';`;
};

/** Wraps imports that are too long for a line. */
const wrapImports = (text: string): string =>
  text.replace(/^(import(?: type)?) \{ ([^}\n]+) \} from '([^'\n]*)';$/gm, (_line, keyword, names, module) =>
    namesStatement(keyword, names.split(', '), module),
  );

/** Moves all imports to the top, and joins imports from one module. */
const gatherImports = (text: string): string => {
  const found = new Map<string, Set<string>>();
  const rest = text.replace(
    /^import (type )?\{ ?([^}]*?),? ?\} from '(.*)';\n/gm,
    (_line, type = '', names, module) => {
      const key = `import ${type}{ | } from '${module}';`;
      const known = found.get(key) ?? new Set();
      found.set(key, known);
      for (const name of names.split(',')) if (name.trim() !== '') known.add(name.trim());
      return '';
    },
  );
  if (found.size === 0) return text;
  const imports = [...found].map(([line, names]) => line.replace('|', () => [...names].join(', ')));
  const [head = '', ...body] = rest.split(/\n\n/);
  return [head, imports.join('\n'), ...body].join('\n\n');
};

/** Prints a file. Releases the parsed source at once. */
const print = (path: string, header: string, statements: readonly Statement[]): string => {
  const file = project.createSourceFile(path, { statements: [`${header}\n\n`, ...statements] }, { overwrite: true });
  const content = wrapImports(tidy(gatherImports(file.getFullText())));
  project.removeSourceFile(file);
  return content;
};
