/** Finds the regular expressions in source files. */
import ts from 'typescript';
import type { Search } from './program.js';

/** A regular expression in a file. */
export interface FoundExpression {
  /** `file:line` */
  readonly place: string;
  /** Its text in the file. */
  readonly text: string;
  /** `undefined` if it needs more than the constants of the file. */
  readonly expression: RegExp | undefined;
  readonly search: Search;
}

/** The constants of a file by name. Reads them at the first call, because most files need none. */
type Constants = () => ReadonlyMap<string, ts.Expression>;

/** Methods of texts that look for all matches, whatever the flags are. */
const repeating = new Set(['split', 'matchAll', 'replaceAll']);

/**
 * Functions that take the source of an expression that must match a whole text, as `runtime/objects/names` has them.
 */
const ofWholeText: Readonly<Record<string, (argument: ts.Expression) => ts.Expression | undefined>> = {
  wholeMatch: (source) => source,
  patternCheck: (pattern) => propertyOf(pattern, 'source'),
};

/** Finds all literals, and calls of `RegExp`, and of functions that make expressions of names. */
export function expressionsIn(file: string, content: string): FoundExpression[] {
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  const source = ts.createSourceFile(file, content, options, true);
  let known: ReturnType<Constants> | undefined;
  const constants: Constants = () => (known ??= constantsOf(source));
  const found: FoundExpression[] = [];
  const visit = (node: ts.Node): void => {
    const expression = expressionOf(node, constants);
    if (expression !== undefined) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const built = expression === 'unknown' ? undefined : expression;
      found.push({ place: `${file}:${line}`, text: node.getText(), expression: built, search: searchOf(node, built) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the expression in a node, `unknown` if its text is not known, or `undefined` for other nodes. */
function expressionOf(node: ts.Node, constants: Constants): RegExp | 'unknown' | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
  }
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined;
  if (!ts.isIdentifier(node.expression)) return undefined;
  const name = node.expression.text;
  const [first, second] = node.arguments ?? [];
  if (first === undefined) return undefined;
  const whole = Object.hasOwn(ofWholeText, name) ? ofWholeText[name] : undefined;
  if (whole) {
    const text = textOf(whole(first), constants);
    return text === undefined ? 'unknown' : new RegExp(`^(?:${text})$`);
  }
  if (name !== 'RegExp') return undefined;
  const pattern = textOf(first, constants);
  const flags = second ? textOf(second, constants) : '';
  return pattern === undefined || flags === undefined ? 'unknown' : new RegExp(pattern, flags);
}

function searchOf({ parent }: ts.Node, expression: RegExp | undefined): Search {
  if (expression?.sticky) return 'sticky';
  const call = ts.isCallExpression(parent) && ts.isPropertyAccessExpression(parent.expression) && parent.expression;
  return expression?.global || (call && repeating.has(call.name.text)) ? 'all' : 'first';
}

/** Maps the constants of a file and of its functions by name. */
function constantsOf(source: ts.SourceFile): ReturnType<Constants> {
  const constants = new Map<string, ts.Expression>();
  const visit = (node: ts.Node): void => {
    const isConstant = ts.isVariableDeclaration(node) && (node.parent.flags & ts.NodeFlags.Const) !== 0;
    if (isConstant && ts.isIdentifier(node.name) && node.initializer) constants.set(node.name.text, node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return constants;
}

/** Returns the text of an expression of constants. */
function textOf(node: ts.Expression | undefined, constants: Constants): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) return textOf(constants().get(node.text), constants);
  if (!ts.isTemplateExpression(node)) return undefined;
  const spans = node.templateSpans.map(({ expression, literal }) => {
    const value = textOf(expression, constants);
    return value === undefined ? undefined : value + literal.text;
  });
  return spans.includes(undefined) ? undefined : node.head.text + spans.join('');
}

function propertyOf(node: ts.Expression, name: string): ts.Expression | undefined {
  const property = ts.isObjectLiteralExpression(node)
    ? node.properties.find((one) => one.name?.getText() === name)
    : undefined;
  if (property === undefined) return undefined;
  if (ts.isShorthandPropertyAssignment(property)) return property.name;
  return ts.isPropertyAssignment(property) ? property.initializer : undefined;
}
