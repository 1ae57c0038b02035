/** Prints the common parts of the type files of resources and libraries: imports, names, the order of declarations. */
import { StructureKind } from 'ts-morph';
import type { SharedType } from '../../model/model.js';
import { importPath, libraryFolder, libraryTitle } from '../layout.js';
import { parseTypeName, type SharedNames, sharedNamesOf } from '../shared-types.js';
import { escapeComment } from '../source/jsdoc.js';
import { createNameScope, type NameScope } from '../source/name-scope.js';
import { toPascal } from '../source/naming.js';
import type { Statement } from '../source/source-file.js';
import type { NamedShape } from './type-names.js';
import {
  type ClientType,
  membersOf,
  partsOf,
  renderType,
  type Shape,
  type TypeNames,
  type TypeNode,
} from './type-nodes.js';
import { aliasStatement, shapeStatement } from './type-statements.js';

/** A type file that is being printed. */
export interface TypeFile {
  readonly folder: string;
  /** The library of the file. Its types need no import. */
  readonly library: string | undefined;
  readonly sharedNames: ReadonlyMap<string, SharedNames>;
  readonly scope: NameScope;
  readonly shapes: Map<Shape, NamedShape>;
  /** Local names of imported shared types, by `<library>#/<Name>` of the import. */
  readonly imported: Map<string, string>;
  readonly clientTypes: Set<ClientType>;
}

type TypePosition = NonNullable<NamedShape['place']>;

/** Names that the printed types use besides the declared ones. */
const USED = ['ApplyObjectMeta', 'ListMeta', 'Object', 'ObjectMeta', 'Omit', 'Partial', 'Pick', 'Record', 'Reference'];

export const createTypeFile = (folder: string, types: ReadonlyMap<string, SharedType>, library?: string): TypeFile => ({
  folder,
  library,
  sharedNames: sharedNamesOf(types),
  scope: createNameScope(USED),
  shapes: new Map(),
  imported: new Map(),
  clientTypes: new Set(),
});

/** Returns the name that a library declares a shared type under. */
export const sharedName = ({ sharedNames }: TypeFile, type: string, apply: boolean): string =>
  sharedNames.get(type)?.[apply ? 'apply' : 'plain'] ?? 'unknown';

const importShared = (file: TypeFile, type: string, apply: boolean): string => {
  const { library } = parseTypeName(type);
  const name = sharedName(file, type, apply);
  if (library === file.library) return name;
  const key = `${library}#/${name}`;
  const known = file.imported.get(key);
  if (known !== undefined) return known;
  const local = file.scope.choose([name, toPascal(libraryTitle(library)) + name]);
  file.imported.set(key, local);
  return local;
};

/** Returns names as the file's declarations use them. Using a shared type imports it. */
export const namesIn = (file: TypeFile): TypeNames => ({
  ofShape: (shape) => file.shapes.get(shape)?.name ?? 'unknown',
  ofShared: (type, apply) => importShared(file, type, apply),
});

/** Finds all shapes below the roots, each before the shapes it refers to, and records the imports. */
const reachableShapes = (file: TypeFile, roots: readonly TypeNode[]): readonly Shape[] => {
  const found = new Set<Shape>();
  const visit = (node: TypeNode): void => {
    if (node.kind === 'client') file.clientTypes.add(node.name);
    if (node.kind === 'reference') file.clientTypes.add('Reference');
    if (node.kind === 'shared') importShared(file, node.name, node.apply);
    partsOf(node).forEach(visit);
    if (node.kind !== 'shape' || found.has(node.shape)) return;
    found.add(node.shape);
    for (const member of membersOf(node.shape)) visit(member.type);
  };
  roots.forEach(visit);
  return [...found];
};

/** Declares a shape below a root, with a comment about its place. */
const nestedStatement = (file: TypeFile, shape: Shape, name: string, { owner, path }: TypePosition): Statement => {
  const base = shape.kind === 'apply' ? file.shapes.get(shape.base.shape)?.name : undefined;
  const doc =
    base === undefined ? `\`${escapeComment(path).replace(/\s+/g, ' ')}\` of {@link ${owner}}.` : applyDoc(base);
  return shapeStatement(shape, name, doc, namesIn(file));
};

/**
 * Declares the shapes below some roots, without the roots.
 * @param declared - shapes that need no declaration any more; grows.
 */
export const nestedStatements = (file: TypeFile, roots: readonly TypeNode[], declared: Set<Shape>): Statement[] => {
  const statements: Statement[] = [];
  for (const shape of reachableShapes(file, roots)) {
    const { name = '', place } = file.shapes.get(shape) ?? {};
    if (place === undefined || declared.has(shape)) continue;
    declared.add(shape);
    statements.push(nestedStatement(file, shape, name, place));
  }
  return statements;
};

/** Returns the comment of an apply form. */
export const applyDoc = (name: string): string => `An apply configuration of {@link ${name}}.`;

/** Names a shape before the naming by path; `false` if the node is not a shape, or already has a name. */
export const pinShape = (file: TypeFile, node: TypeNode, name: string): boolean => {
  if (node.kind !== 'shape' || file.shapes.has(node.shape)) return false;
  file.shapes.set(node.shape, { name });
  return true;
};

/** Declares a name that is already known: of its shape, or of an alias. */
export const rootStatement = (file: TypeFile, name: string, doc: string, node: TypeNode): Statement => {
  const names = namesIn(file);
  const isOwn = node.kind === 'shape' && file.shapes.get(node.shape)?.name === name;
  return isOwn ? shapeStatement(node.shape, name, doc, names) : aliasStatement(name, doc, renderType(node, names));
};

const importStatement = (moduleSpecifier: string, namedImports: readonly (readonly [string, string])[]): Statement => ({
  kind: StructureKind.ImportDeclaration,
  isTypeOnly: true,
  moduleSpecifier,
  namedImports: namedImports.map(([name, local]) => (name === local ? { name } : { name, alias: local })),
});

/** Returns the imports that the file needs. */
export const importStatements = (file: TypeFile): Statement[] => {
  const statements: Statement[] = [];
  const clientTypes = [...file.clientTypes].sort();
  if (clientTypes.length > 0)
    statements.push(
      importStatement(
        'kindforge/client',
        clientTypes.map((name) => [name, name]),
      ),
    );
  const byLibrary = new Map<string, [string, string][]>();
  for (const [key, local] of [...file.imported].sort()) {
    const { library, name } = parseTypeName(key);
    byLibrary.set(library, [...(byLibrary.get(library) ?? []), [name, local]]);
  }
  for (const [library, names] of byLibrary) {
    statements.push(importStatement(importPath(file.folder, `${libraryFolder(library)}/types.ts`), names));
  }
  return statements;
};
