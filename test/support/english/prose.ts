/** Finds the English in source files: comments, strings and test titles, without the code around them. */
import ts from 'typescript';

/** A piece of English. A single space replaces each run of blanks. */
export interface Prose {
  /** `docstring` is a comment that begins with two stars; `title` is the name of a test or of a group of tests. */
  readonly kind: 'comment' | 'docstring' | 'string' | 'title';
  /** The text without the quotes or comment marks around it. */
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
  /** Whether it is the docstring of a function or method. */
  readonly ofFunction: boolean;
  /** The first line of code after a comment; empty for strings and titles. */
  readonly code: string;
}

/** Lists the prose of a file in the order of the text. Strings of test files are left out, titles aside. */
export function proseIn(file: string, content: string): Prose[] {
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  const source = ts.createSourceFile(file, content, options, false, ts.ScriptKind.TS);
  const { literals, docstrings } = literalsAndDocstrings(source, !file.startsWith('test/'));
  const found: Prose[] = [];
  const add = (kind: Prose['kind'], position: number, text: string, code = ''): void => {
    const line = source.getLineAndCharacterOfPosition(position).line + 1;
    found.push({ kind, line, text: text.replace(/\s+/g, ' ').trim(), ofFunction: docstrings.has(position), code });
  };
  const addComments = (from: number, to: number): void => {
    for (const { 0: comment, index } of content.slice(from, to).matchAll(comments)) {
      const kind = comment.startsWith('/**') ? 'docstring' : 'comment';
      add(kind, from + index, withoutMarks(comment), codeAfter(content, from + index + comment.length));
    }
  };
  let at = 0;
  for (const { start, end, kind, text } of literals) {
    addComments(at, start);
    if (kind) add(kind, start, text);
    at = end;
  }
  addComments(at, content.length);
  return found;
}

/** Comments in code without literals. */
const comments = /\/\/[^\n]*|\/\*.*?\*\//gs;

/** Removes the slashes and stars of a comment, and replaces each piece of code in it by one letter. */
const withoutMarks = (comment: string): string =>
  comment
    .replace(/^\/\/|^\/\*+|\*\/$/g, '')
    .replace(/\n\s*\*/g, '\n')
    .replace(/`[^`]*`/g, '`x`');

function codeAfter(content: string, end: number): string {
  const rest = content.slice(end, end + 300).trimStart();
  return rest.startsWith('/') ? '' : (rest.split('\n')[0] ?? '');
}

interface Literal {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** `undefined` for text that is not English. */
  readonly kind: 'string' | 'title' | undefined;
}

interface LiteralsAndDocstrings {
  /** In the order of the text. */
  readonly literals: readonly Literal[];
  /** The starts of docstrings of functions. */
  readonly docstrings: ReadonlySet<number>;
}

/**
 * Finds what only the syntax tree shows: the ends of expressions and templates, and the code that comments describe.
 */
function literalsAndDocstrings(source: ts.SourceFile, withStrings: boolean): LiteralsAndDocstrings {
  const literals: Literal[] = [];
  const docstrings = new Set<number>();
  const titles = new Set<ts.Node>();
  const add = (node: ts.LiteralLikeNode, kind: Literal['kind']): void => {
    const english = kind && /[a-z] | [a-z]/.test(node.text) ? kind : undefined;
    literals.push({ start: node.getStart(source), end: node.end, text: node.text, kind: english });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) add(node, undefined);
    else if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      add(node, titles.has(node) ? 'title' : withStrings ? 'string' : undefined);
    } else if (ts.isCallExpression(node)) {
      const [title] = node.arguments;
      if (title && namesTest(node.expression)) titles.add(ts.isTemplateExpression(title) ? title.head : title);
    } else if (isFunction(node)) {
      const docstring = ts.getLeadingCommentRanges(source.text, node.pos)?.at(-1);
      if (docstring) docstrings.add(docstring.pos);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { literals, docstrings };
}

/** Returns whether a call is of `it`, `test` or `describe`, in any of their forms, as in `it.each(rows)`. */
function namesTest(called: ts.Expression): boolean {
  if (ts.isIdentifier(called)) return /^(it|test|describe)$/.test(called.text);
  return (ts.isCallExpression(called) || ts.isPropertyAccessExpression(called)) && namesTest(called.expression);
}

const isFunction = (node: ts.Node): boolean =>
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isMethodSignature(node) ||
  (ts.isVariableStatement(node) &&
    node.declarationList.declarations.some(
      ({ initializer }) => initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)),
    ));
