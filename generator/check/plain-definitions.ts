/** Converts definitions into plain data, so that another process can use them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../diagnostics/problem.js';
import { decodeText } from '../load/decode-text.js';
import type { LoadedFile } from '../load/load-folder.js';
import type { Definitions } from './load-definitions.js';

/** Computes all suggestions. Leaves out texts: they can be read from the files. */
export function toPlain(definitions: Definitions): Definitions {
  const { state } = definitions;
  const files = new Map(state.folder.files.map((file) => [file, { ...file, text: '' }]));
  const problems = new Map<Problem, Problem>();
  const plain = (problem: Problem): Problem => {
    const known = problems.get(problem) ?? withSuggestion(problem);
    problems.set(problem, known);
    return known;
  };
  const analyses = [...state.analyses].map(
    ([value, analysis]) => [value, { ...analysis, problems: analysis.problems.map(plain) }] as const,
  );
  const diagnosed = [...state.diagnosed].map(([file, { problems: placed, diagnostics }]) => {
    const inFile = placed.map((each) => ({ ...each, problem: plain(each.problem) }));
    return [files.get(file) ?? file, { problems: inFile, diagnostics }] as const;
  });
  const folder = { ...state.folder, files: [...files.values()] };
  return { ...definitions, state: { ...state, folder, analyses: new Map(analyses), diagnosed: new Map(diagnosed) } };
}

function withSuggestion(problem: Problem): Problem {
  const { suggestion, ...rest } = problem;
  if (typeof suggestion !== 'function') return problem;
  const found = suggestion();
  return found === undefined ? rest : { ...rest, suggestion: found };
}

/** Makes the texts load from the folder when they are first used. Changes the definitions in place. */
export function withTexts(definitions: Definitions, schemas: string): Definitions {
  for (const file of definitions.state.folder.files) {
    Object.defineProperty(file, 'text', { configurable: true, enumerable: true, get: () => readText(file, schemas) });
  }
  return definitions;
}

function readText(file: LoadedFile, schemas: string): string {
  const { text } = decodeText(readFileSync(join(schemas, file.path)));
  Object.defineProperty(file, 'text', { value: text });
  return text;
}
