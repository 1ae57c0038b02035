/** Tells of mistakes in a configuration by file, line and column. */
import { readFileSync } from 'node:fs';
import { findOffset, indexPositions } from '../../../generator/load/positions.js';
import { lineCounter } from '../../../runtime/objects/lines.js';
import { ProjectError } from '../project-error.js';
import { fieldOf, type Mistake } from './mistake.js';
import { findInSource } from './source-place.js';

/** An error with a line for each mistake, in the order of the text. `shown` is the file as people are to see it. */
export async function errorOf(file: string, shown: string, mistakes: readonly Mistake[]): Promise<ProjectError> {
  const text = readFileSync(file, 'utf8');
  const placed: { readonly offset: number | undefined; readonly mistake: Mistake }[] = [];
  for (const mistake of mistakes) {
    const { path, at } = mistake;
    placed.push({
      offset: file.endsWith('.yaml') ? inYaml(text, mistake) : await findInSource(text, path, at),
      mistake,
    });
  }
  const lines = placed
    .sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0))
    .map(({ offset, mistake: { path, problem } }) => {
      const field = path.length === 0 ? '' : `${fieldOf(path)} `;
      return `${shown}${offset === undefined ? '' : placeAt(text, offset)}: ${field}${problem}`;
    });
  return new ProjectError(`the configuration has mistakes\n${lines.join('\n')}`);
}

/** As in `:3:5`. */
export function placeAt(text: string, offset: number): string {
  const { line, column } = lineCounter(text)(offset);
  return `:${line}:${column}`;
}

function inYaml(text: string, { path, at = 'value' }: Mistake): number | undefined {
  const [first] = indexPositions(text);
  return first && findOffset(first, path, at);
}
