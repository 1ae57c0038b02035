/**
 * Promises that nobody waits for have a catch. The linter finds those without one, except promises marked by `void`.
 * The functions of these must have comments with the words "never rejects".
 */
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { root } from '../support/shared.js';

const product = /^(plugins|server|runtime|controllers|client|testing|bin|strategies|generator)\//;

/** The places where a promise may be marked anyway, and the reasons. */
const exceptions: readonly (readonly [where: RegExp, why: string])[] = [
  [/^runtime\/storage\/backends\/lmdb[\w-]*\.ts: \S*database\.(put|remove)$/i, 'the transaction has the error'],
  [/^runtime\/storage\/commit-queue\.ts: this\.#write$/, 'the process has to end'],
  [/^bin\/(program|build\/[\w-]+)\.ts: /, 'the process ends, as this is all that it does'],
];

/** Returns the first call of a chain of `then` and `finally`. */
function firstCall(node: ts.Expression): ts.Expression {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return node;
  const { name, expression } = node.expression;
  return name.text === 'then' || name.text === 'finally' ? firstCall(expression) : node;
}

const isPromise = (type: ts.Type): boolean =>
  (type.isUnion() ? type.types : [type]).some((one) => one.getProperty('then') !== undefined);

function saysThatItNeverRejects(checker: ts.TypeChecker, call: ts.Expression): boolean {
  if (!ts.isCallExpression(call)) return false;
  const declaration = checker.getResolvedSignature(call)?.declaration;
  if (!declaration) return false;
  const statement = ts.findAncestor(
    declaration,
    (one) => ts.isVariableStatement(one) || ts.isClassElement(one) || ts.isTypeElement(one),
  );
  const places = statement ? [declaration, statement] : [declaration];
  return places.some((place) =>
    /never rejects/i.test(
      ts
        .getJSDocCommentsAndTags(place)
        .map((one) => one.getText())
        .join(),
    ),
  );
}

/** Lists the marked promises of files that may be rejected, by place and function. */
function unsafeIn(files: readonly string[], options: ts.CompilerOptions, host?: ts.CompilerHost): string[] {
  const program = ts.createProgram(files, { ...options, noEmit: true, skipLibCheck: true, incremental: false }, host);
  const checker = program.getTypeChecker();
  return program.getSourceFiles().flatMap((file) => {
    if (!files.includes(file.fileName) || !file.text.includes('void ')) return [];
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isVoidExpression(node) || !isPromise(checker.getTypeAtLocation(node.expression))) return;
      const call = firstCall(node.expression);
      if (saysThatItNeverRejects(checker, call)) return;
      const path = file.fileName.replace(`${root}/`, '');
      found.push(`${path}: ${(ts.isCallExpression(call) ? call.expression : call).getText()}`);
    };
    visit(file);
    return found;
  });
}

describe('a promise that nobody waits for', () => {
  const read = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config;
  const { options, fileNames } = ts.parseJsonConfigFileContent(read, ts.sys, root, { tsBuildInfoFile: undefined });

  it('never rejects, or has a catch', { timeout: 120_000 }, () => {
    const files = fileNames.filter((name) => product.test(name.replace(`${root}/`, '')));
    expect(files.length).toBeGreaterThan(1000);
    const unsafe = unsafeIn(files, options);
    expect(unsafe.filter((one) => !exceptions.some(([where]) => where.test(one)))).toEqual([]);
    // Every exception is still needed.
    expect(exceptions.filter(([where]) => !unsafe.some((one) => where.test(one)))).toEqual([]);
  });

  it('is found by its mark, and by the comment of its function', () => {
    const name = join(root, 'sample.ts');
    const text = `
      async function risky(): Promise<void> {}
      /** Does it. Never rejects. */
      async function safe(): Promise<void> {}
      class Both {
        async risky(): Promise<void> {}
        /** Never rejects. */
        async safe(): Promise<void> {}
      }
      const both = new Both();
      void safe(); void risky(); void both.safe(); void both.risky().finally(() => {});
      void safe().then(() => {}); void [].length;
    `;
    const host = ts.createCompilerHost(options);
    const source = ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true);
    const get = host.getSourceFile.bind(host);
    host.getSourceFile = (path, ...rest) => (path === name ? source : get(path, ...rest));
    expect(unsafeIn([name], options, host)).toEqual(['sample.ts: risky', 'sample.ts: both.risky']);
  });
});
