/**
 * Finds the places of configuration keys and of syntax errors in TypeScript and JavaScript. Only used for texts with
 * mistakes.
 */

import { readFileSync } from 'node:fs';
import type { ts as typescript } from 'ts-morph';
import { findOffset, indexPositions } from '../../../generator/load/positions.js';
import { lineCounter } from '../../../runtime/objects/lines.js';
import { ProjectError } from '../project.js';

/**
 * Returns the offset of a value that a module exports, or of its key. If the source does not contain the value
 * literally, this is the offset of the nearest value above it. Returns `undefined` if the export is not an object
 * literal.
 */
export async function findInSource(
  text: string,
  path: ConfigPath,
  at: 'key' | 'value' = 'value',
): Promise<number | undefined> {
  const { ts } = await import('ts-morph');
  const source = ts.createSourceFile('kindforge.config.ts', text, ts.ScriptTarget.Latest, true);

  /** Returns the expression in a wrapper, such as a call of `defineConfig(…)`, or the value of a constant. */
  const unwrap = (node: typescript.Expression): typescript.Expression | undefined => {
    if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)) {
      return unwrap(node.expression);
    }
    if (ts.isCallExpression(node)) return node.arguments[0] && unwrap(node.arguments[0]);
    if (ts.isIdentifier(node)) return constant(source, node.text);
    return node;
  };

  const constant = (file: typescript.SourceFile, name: string): typescript.Expression | undefined => {
    for (const statement of file.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      for (const { name: declared, initializer } of statement.declarationList.declarations) {
        if (ts.isIdentifier(declared) && declared.text === name && initializer) {
          return ts.isIdentifier(initializer) ? undefined : unwrap(initializer);
        }
      }
    }
    return undefined;
  };

  const isNamed = (element: typescript.ObjectLiteralElementLike, key: string): boolean =>
    element.name !== undefined &&
    (ts.isIdentifier(element.name) || ts.isStringLiteral(element.name)) &&
    element.name.text === key;

  const exported = source.statements.find(ts.isExportAssignment)?.expression;
  let here = exported && unwrap(exported);
  let place: typescript.Node | undefined = here;
  for (const [depth, step] of path.entries()) {
    if (here === undefined) break;
    if (typeof step === 'number') {
      const item: typescript.Expression | undefined = ts.isArrayLiteralExpression(here)
        ? here.elements[step]
        : undefined;
      here = item && unwrap(item);
      place = item ?? place;
      continue;
    }
    const element: typescript.ObjectLiteralElementLike | undefined = ts.isObjectLiteralExpression(here)
      ? here.properties.find((one) => isNamed(one, step))
      : undefined;
    const value: typescript.Expression | undefined =
      element && ts.isPropertyAssignment(element) ? element.initializer : undefined;
    const wantsKey = at === 'key' && depth === path.length - 1;
    place = (wantsKey ? element?.name : (value ?? element)) ?? place;
    here = value && unwrap(value);
  }
  return place?.getStart(source);
}

/** Returns the first syntax error of a text, as in `:3:5: ',' expected.`, if there is one. */
export async function firstSyntaxError(text: string): Promise<string | undefined> {
  const { ts } = await import('ts-morph');
  const fileName = 'module.ts';
  const { diagnostics = [] } = ts.transpileModule(text, { fileName, reportDiagnostics: true });
  const [first] = diagnostics;
  if (first?.start === undefined) return undefined;
  const { line, column } = lineCounter(text)(first.start);
  return `:${line}:${column}: syntax error: ${ts.flattenDiagnosticMessageText(first.messageText, ' ')}`;
}

/** Keys and list indexes from the top of the configuration. */
export type ConfigPath = readonly (string | number)[];

export interface Mistake {
  readonly path: ConfigPath;
  /** The problem, and the expected value. */
  readonly problem: string;
  /** Whether the key itself is wrong. Default: the value is. */
  readonly at?: 'key' | 'value';
}

/** Prints a path as in `serve.http-port` and `emitters[0]`. */
export const fieldOf = (path: ConfigPath): string =>
  path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('');

/** Makes an error with a line for each mistake, in the order of the text. `shown` is the file for messages. */
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

/** Returns a place, as in `:3:5`. */
export function placeAt(text: string, offset: number): string {
  const { line, column } = lineCounter(text)(offset);
  return `:${line}:${column}`;
}

function inYaml(text: string, { path, at = 'value' }: Mistake): number | undefined {
  const [first] = indexPositions(text);
  return first && findOffset(first, path, at);
}
