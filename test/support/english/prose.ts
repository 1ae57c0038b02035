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
  const add = (kind: Prose['kind'], position: number, text: string): void => {
    const line = source.getLineAndCharacterOfPosition(position).line + 1;
    const isComment = kind === 'comment' || kind === 'docstring';
    const code = isComment ? codeAfter(content, scanner.getTokenEnd()) : '';
    found.push({ kind, line, text: text.replace(/\s+/g, ' ').trim(), ofFunction: docstrings.has(position), code });
  };
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, content);
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const start = scanner.getTokenStart();
    const literal = literals.get(start);
    if (literal) {
      scanner.resetTokenState(literal.end);
      if (literal.kind) add(literal.kind, start, literal.text);
    } else if (isTrivia(token)) {
      const text = scanner.getTokenText();
      add(text.startsWith('/**') ? 'docstring' : 'comment', start, withoutMarks(text));
    }
  }
  return found;
}

const isTrivia = (token: ts.SyntaxKind): boolean =>
  token === ts.SyntaxKind.SingleLineCommentTrivia || token === ts.SyntaxKind.MultiLineCommentTrivia;

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
  readonly end: number;
  readonly text: string;
  /** `undefined` for text that is not English. */
  readonly kind: 'string' | 'title' | undefined;
}

interface LiteralsAndDocstrings {
  /** By the position of the first character. */
  readonly literals: ReadonlyMap<number, Literal>;
  /** The starts of docstrings of functions. */
  readonly docstrings: ReadonlySet<number>;
}

/**
 * Finds what only the syntax tree shows: the ends of expressions and templates, and the code that comments describe.
 */
function literalsAndDocstrings(source: ts.SourceFile, withStrings: boolean): LiteralsAndDocstrings {
  const literals = new Map<number, Literal>();
  const docstrings = new Set<number>();
  const titles = new Set<ts.Node>();
  const add = (node: ts.LiteralLikeNode, kind: Literal['kind']): void => {
    const english = kind && /[a-z] | [a-z]/.test(node.text) ? kind : undefined;
    literals.set(node.getStart(source), { end: node.end, text: node.text, kind: english });
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
