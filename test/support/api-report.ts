/** Prints what an entry point of the package exports, so that reviewers see each change. */
import { join, relative } from 'node:path';
import ts from 'typescript';
import { root } from './shared.js';

/** A door by the name that users import, and the source file behind it. */
export interface Door {
  readonly name: string;
  readonly source: string;
}

const full = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;
const printer = ts.createPrinter({ removeComments: true });

/** Makes the reports of doors, each by the door's name. Types are read once for all of them. */
export function apiReports(doors: readonly Door[]): ReadonlyMap<string, string> {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    root,
    { incremental: false, tsBuildInfoFile: undefined },
  );
  const program = ts.createProgram(
    doors.map(({ source }) => join(root, source)),
    options,
  );
  const exports = doors.map((door) => exportsOf(program, door));
  const told = new Set(exports.flatMap((names) => [...names.values()]));
  const checker = program.getTypeChecker();
  return new Map(
    doors.map(({ name }, i) => {
      const all = exports[i] ?? new Map<string, ts.Symbol>();
      const repeated = exports.findIndex((other, at) => at !== i && other.size > 0 && isWithin(other, all));
      const own = new Map([...all].filter(([as]) => !exports[repeated]?.has(as)));
      return [name, reportOf(checker, { name, exported: own, repeats: doors[repeated]?.name }, told)];
    }),
  );
}

type Exports = ReadonlyMap<string, ts.Symbol>;

/** The exports of a door, and another door that exports all of them too. */
interface Told {
  readonly name: string;
  readonly exported: Exports;
  readonly repeats: string | undefined;
}

const isWithin = (some: Exports, all: Exports): boolean =>
  [...some].every(([name, symbol]) => all.get(name) === symbol);

function exportsOf(program: ts.Program, { source }: Door): Exports {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(join(root, source));
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error(`${source} exports nothing`);
  return new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, resolveAlias(checker, symbol)]));
}

/** Prints the report of a door. `told` are the exports of all doors. */
function reportOf(checker: ts.TypeChecker, { name, exported, repeats }: Told, told: ReadonlySet<ts.Symbol>): string {
  const printed = [...exported].sort(byName).map(([as, symbol]) => textOf(checker, as, symbol));
  const others = neededBy(checker, exported, told);
  const rest = others.map((symbol) => textOf(checker, symbol.name, symbol)).sort();
  const section = rest.length === 0 ? '' : `\nExported by no door, but needed by these:\n\n${fence(rest)}`;
  const head = repeats === undefined ? '' : `All of \`${repeats}\`, and:\n\n`;
  return `# ${name}\n\n${head}${fence(printed)}${section}`;
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;
const fence = (texts: readonly string[]): string => `\`\`\`ts\n${texts.join('\n')}\n\`\`\`\n`;

const resolveAlias = (checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** Names a member. If its name is a symbol, removes the number that the compiler gave it. */
const nameOf = ({ name }: ts.Symbol): string => name.replace(/^__@(.*)@\d+$/, '[$1]');

/** Prints all declarations of a name. A value and a type may share it. */
function textOf(checker: ts.TypeChecker, as: string, symbol: ts.Symbol): string {
  const texts = (symbol.declarations ?? []).map((declaration) => declarationText(checker, as, symbol, declaration));
  return [...new Set(texts)].join('\n');
}

function declarationText(checker: ts.TypeChecker, as: string, symbol: ts.Symbol, node: ts.Declaration): string {
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node)) {
    const text = printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()).replace(/^export /, '');
    return symbol.name === as ? text : `${text} // as ${as}`;
  }
  if (ts.isClassDeclaration(node)) return classText(checker, as, node);
  if (ts.isSourceFile(node)) {
    const names = checker.getExportsOfModule(symbol).map(({ name }) => name);
    return `namespace ${as} { ${names.sort().join(', ')} }`;
  }
  const type = checker.getTypeOfSymbolAtLocation(symbol, node);
  if (!ts.isFunctionDeclaration(node)) return `const ${as}: ${checker.typeToString(type, node, full)};`;
  return type
    .getCallSignatures()
    .map((signature) => `function ${as}${checker.signatureToString(signature, node, full)};`)
    .join('\n');
}

function classText(checker: ts.TypeChecker, as: string, node: ts.ClassDeclaration): string {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const heritage = (node.heritageClauses ?? []).map((clause) => ` ${clause.getText()}`).join('');
  const members = node.members.flatMap((member) => {
    if (ts.getCombinedModifierFlags(member) & hidden || (member.name && ts.isPrivateIdentifier(member.name))) return [];
    if (ts.isConstructorDeclaration(member)) {
      return [`    constructor(${member.parameters.map((parameter) => parameter.getText()).join(', ')});`];
    }
    const symbol = member.name && checker.getSymbolAtLocation(member.name);
    if (!symbol) return [];
    return [`    ${nameOf(symbol)}: ${checker.typeToString(checker.getTypeOfSymbol(symbol), member, full)};`];
  });
  return [`class ${as}${heritage} {`, ...new Set(members), '}'].join('\n');
}

/** Lists the types that exported declarations use and no door exports. Generated types have tests of their own. */
function neededBy(checker: ts.TypeChecker, exported: Exports, told: ReadonlySet<ts.Symbol>): readonly ts.Symbol[] {
  const found = new Set<ts.Symbol>();
  const open = [...exported.values()];
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node)) return;
    const named = ts.isTypeReferenceNode(node) ? node.typeName : undefined;
    const symbol = named && checker.getSymbolAtLocation(named);
    if (symbol) add(resolveAlias(checker, symbol));
    ts.forEachChild(node, visit);
  };
  const add = (symbol: ts.Symbol): void => {
    if (told.has(symbol) || found.has(symbol) || !isOurs(symbol)) return;
    found.add(symbol);
    open.push(symbol);
  };
  for (let symbol = open.pop(); symbol; symbol = open.pop()) {
    for (const declaration of symbol.declarations ?? [])
      if (!ts.isSourceFile(declaration)) declarationTypes(declaration, visit);
  }
  return [...found];
}

/** Visits the types of a declaration. If a value has a body, visits only the types that are written out. */
function declarationTypes(node: ts.Declaration, visit: (node: ts.Node) => void): void {
  if (!ts.isVariableDeclaration(node)) {
    ts.forEachChild(node, visit);
    return;
  }
  const value = node.initializer;
  if (node.type) visit(node.type);
  else if (value && ts.isArrowFunction(value)) {
    for (const parameter of value.parameters) visit(parameter);
    if (value.type) visit(value.type);
  }
}

function isOurs(symbol: ts.Symbol): boolean {
  if (symbol.flags & ts.SymbolFlags.TypeParameter) return false;
  const file = symbol.declarations?.[0]?.getSourceFile().fileName;
  const path = file === undefined ? '..' : relative(root, file);
  return !/^(\.\.|node_modules|generated)(\/|$)/.test(path);
}
