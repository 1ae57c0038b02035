/** Turns named shapes into the declarations of a file. */
import {
  type InterfaceDeclarationStructure,
  type PropertySignatureStructure,
  StructureKind,
  type WriterFunction,
} from 'ts-morph';
import { LINE_WIDTH, quote } from '../source/literal.js';
import { isIdentifier, isInherited } from '../source/naming.js';
import type { Statement } from '../source/source-file.js';
import { type ApplyShape, type Member, membersOf, renderType, type Shape, type TypeNames } from './type-nodes.js';

/** Prints `export interface Name { … }`, with an index signature if it is open. */
export const interfaceStatement = (
  name: string,
  doc: string,
  members: readonly Member[],
  names: TypeNames,
  open = false,
): InterfaceDeclarationStructure => ({
  kind: StructureKind.Interface,
  isExported: true,
  name,
  docs: docsOf(doc),
  properties: members.map((member) => propertyOf(member, names)),
  indexSignatures: open ? [{ keyName: 'key', keyType: 'string', returnType: 'unknown' }] : [],
});

/** Returns a text that cannot end the comment. */
const docsOf = (text: string): { description: string }[] =>
  text === '' ? [] : [{ description: text.replaceAll('*/', '*\\/') }];

/** Breaks intersections of keyed list items before their second part. No other intersection is that long. */
const breakType = (type: string, before: number): string =>
  before + type.length <= LINE_WIDTH ? type : type.replace(/ & (?=Pick<)/g, ' &\n  ');

/**
 * Returns whether a member has an inherited name: if an object lacks the member, TypeScript finds the inherited one.
 */
const orInherited = ({ name, optional }: Member, type: string): string =>
  optional && isInherited(name) ? `${type} | Object[${quote(name)}]` : type;

const propertyOf = (member: Member, names: TypeNames): Omit<PropertySignatureStructure, 'kind'> => {
  const name = isIdentifier(member.name) ? member.name : quote(member.name);
  return {
    name,
    hasQuestionToken: member.optional,
    type: breakType(orInherited(member, renderType(member.type, names)), name.length + '  ?: ;'.length),
    docs: docsOf(member.doc),
  };
};

const onLines = (parts: readonly string[], indent: string): string =>
  parts.map((part) => `\n${indent}| ${part}`).join('');

/** Prints `export type Name = …`, with one literal of a union per line if one line is too short. */
export const aliasStatement = (name: string, doc: string, type: string | readonly string[]): Statement => {
  const line = typeof type === 'string' ? type : type.join(' | ');
  const declare = (text: string | WriterFunction): Statement => ({
    kind: StructureKind.TypeAlias,
    leadingTrivia: '\n',
    isExported: true,
    name,
    docs: docsOf(doc),
    type: text,
  });
  if (typeof type === 'string' || `export type ${name} = ${line};`.length <= LINE_WIDTH) return declare(line);
  return declare((writer) => writer.write(onLines(type, '')));
};

/** Returns all members of an apply form, for bases with an index signature: `Omit` would lose them. */
const allMembers = ({ base, changed }: ApplyShape): Member[] => {
  const byName = new Map(changed.map((member) => [member.name, member]));
  return membersOf(base.shape).map((member) => byName.get(member.name) ?? { ...member, optional: true });
};

const optionalBase = (name: string, base: string, without: readonly Member[]): string => {
  const keys = without.map((member) => quote(member.name));
  const line = `Partial<Omit<${base}, ${keys.join(' | ')}>>`;
  const fits = `export interface ${name} extends ${line} {`.length <= LINE_WIDTH;
  if (fits) return line;
  const inner = `  Omit<${base}, ${keys.join(' | ')}>`;
  const text = inner.length + 2 <= LINE_WIDTH ? inner : `  Omit<\n    ${base},${onLines(keys, '    ')}\n  >`;
  return `Partial<\n${text}\n>`;
};

const applyStatement = (shape: ApplyShape, name: string, doc: string, names: TypeNames): Statement => {
  const { changed } = shape;
  const base = shape.base.shape;
  if (base.kind === 'object' && base.open) return interfaceStatement(name, doc, allMembers(shape), names, true);
  const declaration = interfaceStatement(name, doc, changed, names);
  if (changed.length === membersOf(base).length) return declaration;
  return { ...declaration, extends: [optionalBase(name, names.ofShape(base), changed)] };
};

export const shapeStatement = (shape: Shape, name: string, doc: string, names: TypeNames): Statement => {
  switch (shape.kind) {
    case 'object':
      return interfaceStatement(name, doc, membersOf(shape), names, shape.open);
    case 'union':
      return aliasStatement(name, doc, shape.literals);
    case 'apply':
      return applyStatement(shape, name, doc, names);
  }
};
