/** The names of a kind's types, and the members of all kinds. */
import type { ResourceModel, VersionModel } from '../../model/model.js';
import { quote } from '../source/literal.js';
import { toPascal, toTypeName } from '../source/naming.js';
import type { ClientType, Member, TypeNode } from './type-nodes.js';

/** Names of the types that every kind has. */
export interface KindTypes {
  /** The beginning of the names of the kind's further types. */
  readonly base: string;
  readonly object: string;
  readonly list: string;
  readonly apply: string;
  /** The type of the status in an apply, if the status is a subresource. */
  readonly statusApply: string;
}

/** Returns the names of a kind's types: the kind itself if the language allows it. */
export const kindTypes = ({ names }: ResourceModel): KindTypes => {
  const base = toPascal(names.kind);
  const object = toTypeName(names.kind);
  const list = toTypeName(names.listKind);
  return {
    base,
    object,
    list: list === object ? `${object}List` : list,
    apply: `${base}ApplyConfiguration`,
    statusApply: `${base}StatusApplyConfiguration`,
  };
};

/** A kind's type under the name that a file has for it. */
export interface LocalType {
  readonly object: string;
  readonly name: string;
  /** The imports of the file. */
  readonly specifier: { readonly name: string; readonly alias?: string };
}

/** Names the type of a kind in a file that imports these names. */
export const localType = (resource: ResourceModel, taken: readonly string[]): LocalType => {
  const { object } = kindTypes(resource);
  if (!taken.includes(object)) return { object, name: object, specifier: { name: object } };
  const name = `${object}Object`;
  return { object, name, specifier: { name: object, alias: name } };
};

/** Returns whether the status of a kind is applied separately. */
export const hasStatusApply = ({ subresources, schema }: VersionModel): boolean =>
  subresources.some(({ name }) => name === 'status') && Object.hasOwn(schema.properties ?? {}, 'status');

export const requiredMember = (name: string, type: TypeNode): Member => ({ name, optional: false, type, doc: '' });

const literal = (value: string): TypeNode => ({ kind: 'text', text: quote(value) });

/** Returns the members of an API object, with the given type of metadata if it has metadata. */
export const envelope = (apiVersion: string, kind: string, metadata?: ClientType): readonly Member[] => [
  requiredMember('apiVersion', literal(apiVersion)),
  requiredMember('kind', literal(kind)),
  ...(metadata === undefined ? [] : [requiredMember('metadata', { kind: 'client', name: metadata })]),
];
