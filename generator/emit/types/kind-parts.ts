/** The parts of an object that have a name whatever their type is: `<Kind>Spec` and `<Kind>Status`. */
import { StructureKind } from 'ts-morph';
import { importPath, libraryFolder } from '../layout.js';
import { parseTypeName } from '../shared-types.js';
import type { Statement } from '../source/source-file.js';
import { pinShape, rootStatement, sharedName, type TypeFile } from './type-file.js';
import type { Member, TypeNode } from './type-nodes.js';

/** A named part. */
export interface Part {
  readonly field: string;
  readonly name: string;
  readonly node: TypeNode;
  readonly doc: string;
  /** The type as members mention it: by its name. */
  readonly mention: TypeNode;
  /** The library that has the part's type under the part's name. */
  readonly library: string | undefined;
}

const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['spec', 'Spec'],
  ['status', 'Status'],
]);

const libraryOf = (file: TypeFile, node: TypeNode, name: string): string | undefined =>
  node.kind === 'shared' && sharedName(file, node.name, false) === name ? parseTypeName(node.name).library : undefined;

const mentionOf = (type: TypeNode, name: string): TypeNode => {
  const mention: TypeNode = { kind: 'text', text: name };
  return type.kind === 'nullable' ? { kind: 'nullable', of: mention } : mention;
};

/** Finds the named parts among the members of an object, and takes their names. */
export const findParts = (file: TypeFile, base: string, members: readonly Member[]): readonly Part[] =>
  members.flatMap(({ name: field, type, doc }): Part[] => {
    const suffix = SUFFIXES.get(field);
    const node = type.kind === 'nullable' ? type.of : type;
    if (suffix === undefined) return [];
    const name = base + suffix;
    const library = libraryOf(file, node, name);
    file.scope.claim(name);
    if (library === undefined) pinShape(file, node, name);
    else file.imported.set(`${library}#/${name}`, name);
    return [{ field, name, node, doc, mention: mentionOf(type, name), library }];
  });

/** A member as the object's interface has it: parts by their names. */
export const mentionPart = (parts: readonly Part[], member: Member): Member => {
  const part = parts.find(({ field }) => field === member.name);
  return part === undefined ? member : { ...member, type: part.mention };
};

/** The declaration of a part, or its export from the library that has it. */
export const partStatement = (file: TypeFile, { name, node, doc, library }: Part): Statement => {
  if (library === undefined) return rootStatement(file, name, doc, node);
  const moduleSpecifier = importPath(file.folder, `${libraryFolder(library)}/types.ts`);
  return { kind: StructureKind.ExportDeclaration, isTypeOnly: true, moduleSpecifier, namedExports: [name] };
};
