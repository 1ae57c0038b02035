/** Reads the relations of a definition, and describes them for clients in the schemas of all versions. */
import type { ObjectReference, OnDelete, Schema, Scope, Uniqueness } from '../../runtime/contract/index.js';
import { parsePath, type Segment } from '../../runtime/schema/index.js';
import { compact } from '../../runtime/schema/read.js';
import type { ResourceDefinition } from '../load/definition-format.js';
import type { VersionModel } from './model.js';
import type { Part } from './part.js';

/** The relations of the objects of one kind. */
export interface Relations {
  readonly references: readonly ObjectReference[];
  readonly unique: readonly Uniqueness[];
}

const ON_DELETE = ['refuse', 'cascade', 'clear'] as const;
const WITHIN = ['namespace', 'cluster'] as const;

/** Reads the relations in `spec`. */
export function readRelations(spec: Part<ResourceDefinition['spec']>, group: string, scope: Scope): Relations {
  return {
    references: spec.parts('references').map((each) =>
      compact<ObjectReference>({
        field: each.string('field') ?? '',
        group: each.string('group') ?? group,
        kind: each.string('kind') ?? '',
        namespaceField: each.string('namespaceField'),
        onDelete: each.choice('onDelete', ON_DELETE) ?? 'refuse',
      }),
    ),
    unique: spec.parts('unique').map((each) =>
      compact<Uniqueness>({
        fields: each.strings('fields'),
        within: each.choice('within', WITHIN) ?? (scope === 'Namespaced' ? 'namespace' : 'cluster'),
        when: each.string('when'),
      }),
    ),
  };
}

/** Returns versions with the relations in their schemas: as keywords, and as sentences for readers. */
export function withRelations(versions: readonly VersionModel[], relations: Relations): readonly VersionModel[] {
  const { references, unique } = relations;
  if (references.length === 0 && unique.length === 0) return versions;
  return versions.map((version) => ({ ...version, schema: schemaWith(version, relations) }));
}

function schemaWith(version: VersionModel, { references, unique }: Relations): Schema {
  let { schema } = version;
  for (const { field, ...reference } of references) {
    schema = changeAt(schema, placeIn(version, field), (node) => ({
      ...withSentence(node, referenceSentence(reference)),
      'x-kindforge-references': reference,
    }));
  }
  for (const one of unique) {
    for (const field of one.fields)
      schema = changeAt(schema, placeIn(version, field), (node) => withSentence(node, uniqueSentence(one, field)));
  }
  return unique.length === 0 ? schema : { ...schema, 'x-kindforge-unique-fields': unique };
}

/** Returns the place of a field of the stored version in another version. Only follows moves. */
function placeIn({ conversion }: VersionModel, field: string): readonly Segment[] | undefined {
  const move = conversion?.steps.find((step) => 'move' in step && step.move.stored === field);
  return parsePath(move && 'move' in move ? move.move.field : field);
}

/** Changes the node at a place. Changes nothing if the place does not exist, or is in a shared type. */
function changeAt(node: Schema, place: readonly Segment[] | undefined, change: (node: Schema) => Schema): Schema {
  if (place === undefined || node['x-kindforge-type'] !== undefined) return node;
  const [first, ...rest] = place;
  if (first === undefined) return change(node);
  if (first === 'each') return node.items ? { ...node, items: changeAt(node.items, rest, change) } : node;
  const { properties = {} } = node;
  const child = Object.hasOwn(properties, first.key) ? properties[first.key] : undefined;
  return child ? { ...node, properties: { ...properties, [first.key]: changeAt(child, rest, change) } } : node;
}

const withSentence = (node: Schema, sentence: string): Schema => ({
  ...node,
  description: node.description === undefined ? sentence : `${node.description} ${sentence}`,
});

const atDelete: Readonly<Record<OnDelete, string>> = {
  refuse: 'It cannot be deleted while this field names it.',
  cascade: 'Deleting it deletes this object first.',
  clear: 'Deleting it removes this field first.',
};

function referenceSentence({ kind, namespaceField, onDelete }: Omit<ObjectReference, 'field'>): string {
  const where = namespaceField === undefined ? '' : ` in the namespace that ${namespaceField} names`;
  return `Names an existing ${kind}${where}. ${atDelete[onDelete]}`;
}

function uniqueSentence({ fields, within, when }: Uniqueness, field: string): string {
  const others = fields.filter((other) => other !== field);
  const together = others.length === 0 ? '' : ` together with ${others.join(', ')}`;
  const among = when === undefined ? '' : `, among objects for which ${when}`;
  return `Unique within the ${within}${together}${among}.`;
}
