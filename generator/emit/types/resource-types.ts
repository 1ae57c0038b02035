/** The type file of one resource version: the object, its list, its parts and its apply configuration. */

import { getOwn } from '../../../runtime/objects/guards.js';
import type { Model, ResourceModel, VersionModel } from '../../model/model.js';
import type { OutputFile } from '../../write/output-file.js';
import { apiVersionOf, headerFor, importPath, libraryFolder, resourceFolder } from '../layout.js';
import { sharedTypesOf } from '../shared-structures.js';
import { parseTypeName } from '../shared-types.js';
import { docText } from '../source/jsdoc.js';
import { namesStatement, printFile, type Statement } from '../source/source-file.js';
import { envelope, hasStatusApply, type KindTypes, kindTypes, requiredMember } from './kind-types.js';
import { createTypeBuilder, isOpen, type TypeBuilder } from './type-builder.js';
import {
  applyDoc,
  createTypeFile,
  importStatements,
  namesIn,
  nestedStatements,
  pinShape,
  rootStatement,
  sharedName,
  type TypeFile,
} from './type-file.js';
import { nameApplyShapes, nameShapes } from './type-names.js';
import { type Member, membersOf, type Shape, type TypeNode } from './type-nodes.js';
import { interfaceStatement } from './type-statements.js';

/** A named part. */
interface Part {
  readonly field: string;
  readonly name: string;
  readonly node: TypeNode;
  readonly doc: string;
  /** The type as members refer to it: by its name. */
  readonly mention: TypeNode;
  /** The library that has the part's type under the same name. */
  readonly library: string | undefined;
}

const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['spec', 'Spec'],
  ['status', 'Status'],
]);

/** A kind with names for all its shapes. */
interface Kind {
  readonly resource: ResourceModel;
  readonly version: VersionModel;
  readonly types: KindTypes;
  readonly file: TypeFile;
  readonly builder: TypeBuilder;
  readonly root: TypeNode;
  /** Of the object, envelope included. */
  readonly members: readonly Member[];
  readonly parts: readonly Part[];
  /** Shapes that are already declared. */
  readonly declared: Set<Shape>;
}

/** Returns the file `types.ts` of a resource version. */
export const resourceTypes = (resource: ResourceModel, version: VersionModel, model: Model): OutputFile => {
  const kind = readKind(resource, version, model);
  const statements = [...objectStatements(kind), ...applyStatements(kind), ...statusStatements(kind)];
  const path = `${kind.file.folder}/types.ts`;
  return printFile(path, headerFor([resource.source]), [...importStatements(kind.file), ...statements]);
};

const libraryOf = (file: TypeFile, node: TypeNode, name: string): string | undefined =>
  node.kind === 'shared' && sharedName(file, node.name, false) === name ? parseTypeName(node.name).library : undefined;

const mentionOf = (type: TypeNode, name: string): TypeNode => {
  const mention: TypeNode = { kind: 'text', text: name };
  return type.kind === 'nullable' ? { kind: 'nullable', of: mention } : mention;
};

/** Finds the named parts among the members of an object, and reserves their names. */
const findParts = (file: TypeFile, base: string, members: readonly Member[]): readonly Part[] =>
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

/** Returns a member as the object's interface has it, with parts by name. */
const mentionPart = (parts: readonly Part[], member: Member): Member => {
  const part = parts.find(({ field }) => field === member.name);
  return part === undefined ? member : { ...member, type: part.mention };
};

/** Returns the exports of the parts that libraries declare, one for each library. */
const exportStatements = (file: TypeFile, parts: readonly Part[]): Statement[] => {
  const libraries = new Set(parts.map(({ library }) => library));
  return [...libraries].flatMap((library) => {
    if (library === undefined) return [];
    const names = parts.filter((part) => part.library === library).map(({ name }) => name);
    return [`\n${namesStatement('export type', names, importPath(file.folder, `${libraryFolder(library)}/types.ts`))}`];
  });
};

const statusNames = (version: VersionModel, { statusApply }: KindTypes): readonly string[] =>
  hasStatusApply(version) ? [statusApply] : [];

const readKind = (resource: ResourceModel, version: VersionModel, model: Model): Kind => {
  const types = kindTypes(resource);
  const shared = sharedTypesOf(model);
  const file = createTypeFile(resourceFolder(resource, version), shared.types);
  for (const name of [types.object, types.list, types.apply, ...statusNames(version, types)]) file.scope.claim(name);
  const builder = createTypeBuilder(shared);
  const metadata = resource.withoutMetadata ? undefined : 'ObjectMeta';
  const given = envelope(apiVersionOf(resource, version), resource.names.kind, metadata);
  const root = builder.defineObject(version.schema, given).plain;
  builder.settle();
  pinShape(file, root, types.object);
  const members = root.kind === 'shape' ? membersOf(root.shape) : given;
  const parts = findParts(file, types.base, members);
  nameShapes([{ name: types.base, node: root }], file.scope, file.shapes);
  return { resource, version, types, file, builder, root, members, parts, declared: new Set() };
};

const objectStatements = ({ resource, version, types, file, root, members, parts, declared }: Kind): Statement[] => {
  const description = version.schema.description ?? resource.description ?? '';
  const mentioned = members.map((member) => mentionPart(parts, member));
  const nested = (node: TypeNode): Statement[] => nestedStatements(file, [node], declared);
  return [
    interfaceStatement(types.object, docText(description, [], 0), mentioned, namesIn(file), isOpen(version.schema)),
    ...(resource.verbs.includes('list') ? [listStatement(resource, version, types, file)] : []),
    ...exportStatements(file, parts),
    ...parts.flatMap(({ library, name, doc, node }) => [
      ...(library === undefined ? [rootStatement(file, name, doc, node)] : []),
      ...nested(node),
    ]),
    ...nested(root),
  ];
};

const listStatement = (resource: ResourceModel, version: VersionModel, types: KindTypes, file: TypeFile): Statement => {
  const items: TypeNode = { kind: 'array', items: { kind: 'text', text: types.object } };
  const given = envelope(apiVersionOf(resource, version), resource.names.listKind, 'ListMeta');
  file.clientTypes.add('ListMeta');
  const members = [...given, requiredMember('items', items)];
  return interfaceStatement(types.list, `A list of {@link ${types.object}}.`, members, namesIn(file));
};

/** Returns the members that clients may apply: all, except a status with a path of its own. */
const applyMembers = ({ version, members, builder, parts }: Kind): Member[] => {
  const statusIsSeparate = version.subresources.some(({ name }) => name === 'status');
  return members.flatMap((member): Member[] => {
    const schema = getOwn(version.schema.properties ?? {}, member.name);
    const isEnvelope = ['apiVersion', 'kind', 'metadata'].includes(member.name);
    if (schema === undefined || isEnvelope || (member.name === 'status' && statusIsSeparate)) return [];
    const { plain, apply } = builder.build(schema);
    return [{ ...(plain === apply ? mentionPart(parts, member) : { ...member, type: apply }), optional: true }];
  });
};

const applyStatements = (kind: Kind): Statement[] => {
  const { resource, version, types, file, declared } = kind;
  const members = applyMembers(kind);
  const nodes = members.map(({ type }) => type);
  nameApplyShapes(nodes, file.scope, file.shapes);
  const metadata = resource.withoutMetadata ? undefined : 'ApplyObjectMeta';
  if (metadata !== undefined) file.clientTypes.add(metadata);
  const given = envelope(apiVersionOf(resource, version), resource.names.kind, metadata);
  return [
    interfaceStatement(
      types.apply,
      applyDoc(types.object),
      [...given, ...members],
      namesIn(file),
      isOpen(version.schema),
    ),
    ...nestedStatements(file, nodes, declared),
  ];
};

/** Returns the status as an apply has it; under another name if the object has the same. */
const statusStatements = ({ version, types, file, builder, parts, declared }: Kind): Statement[] => {
  const schema = getOwn(version.schema.properties ?? {}, 'status');
  if (!hasStatusApply(version) || schema === undefined) return [];
  const { plain, apply } = builder.build(schema);
  const mention = parts.find(({ field }) => field === 'status')?.mention ?? plain;
  const node = plain === apply ? mention : apply;
  pinShape(file, node, types.statusApply);
  nameApplyShapes([node], file.scope, file.shapes);
  const doc = `The status in an apply to the \`status\` subresource of {@link ${types.object}}.`;
  return [rootStatement(file, types.statusApply, doc, node), ...nestedStatements(file, [node], declared)];
};
