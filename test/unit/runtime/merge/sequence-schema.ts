/** Reads the schemas of the public apply sequences (structured-merge-diff's own format) into plans. */
import type { JsonValue } from '../../../../runtime/contract/index.js';
import { fieldElement } from '../../../../runtime/merge/path-element.js';
import {
  DEDUCED,
  type FieldPlan,
  type ListKey,
  type ListPlan,
  type MapPlan,
  type ScalarKind,
  type TypedPlan,
  type TypePlan,
} from '../../../../runtime/merge/type-plan.js';

type Relationship = 'atomic' | 'associative' | 'separable';

export interface Atom {
  readonly Scalar?: ScalarKind;
  readonly List?: {
    readonly ElementRelationship?: Relationship;
    readonly ElementType?: TypeRef;
    readonly Keys?: string[];
  };
  readonly Map?: {
    readonly ElementRelationship?: Relationship;
    readonly ElementType?: TypeRef;
    readonly Fields?: Field[];
  };
}

interface Field {
  readonly Name: string;
  readonly Type: TypeRef;
  readonly Default?: JsonValue | { readonly $float: string };
}

export interface TypeRef {
  readonly NamedType?: string;
  readonly Inlined?: Atom;
  readonly ElementRelationship?: Relationship | null;
}

export interface SequenceSchema {
  readonly Types: readonly { readonly Name: string; readonly Atom: Atom }[];
}

/** Returns the plan of a type. Parts are made on first use, because types may contain themselves. */
export function planOfSequence(schema: SequenceSchema, ref: TypeRef): TypedPlan {
  return { root: new LazyPlan(schema, ref), initial: {} };
}

class LazyPlan implements TypePlan {
  readonly hasAtomicParts = true;
  private readonly atom: Atom;
  private listPlan: ListPlan | undefined;
  private mapPlan: MapPlan | undefined;

  constructor(
    private readonly schema: SequenceSchema,
    private readonly ref: TypeRef,
  ) {
    this.atom = resolve(schema, ref);
  }

  get scalar(): ScalarKind | undefined {
    return this.atom.Scalar;
  }

  get list(): ListPlan | undefined {
    this.listPlan ??= this.atom.List && this.makeList(this.atom.List);
    return this.listPlan;
  }

  get map(): MapPlan | undefined {
    this.mapPlan ??= this.atom.Map && this.makeMap(this.atom.Map);
    return this.mapPlan;
  }

  private makeList(list: NonNullable<Atom['List']>): ListPlan {
    const associative = (this.ref.ElementRelationship ?? list.ElementRelationship) === 'associative';
    const keys = associative ? [...(list.Keys ?? [])].sort().map((name) => this.key(list, name)) : [];
    const relation = associative ? (keys.length > 0 ? 'map' : 'set') : 'atomic';
    return { relation, keys, items: this.child(list.ElementType) };
  }

  private key(list: NonNullable<Atom['List']>, name: string): ListKey {
    const item = list.ElementType && resolve(this.schema, list.ElementType);
    const value = item?.Map?.Fields?.find((field) => field.Name === name)?.Default;
    if (value === undefined) return { name, required: false };
    const isFloat = typeof value === 'object' && value !== null && '$float' in value;
    return { name, required: false, default: isFloat ? Number(value.$float) : value };
  }

  private makeMap(map: NonNullable<Atom['Map']>): MapPlan {
    const fields = new Map<string, FieldPlan>();
    for (const field of map.Fields ?? []) {
      const type = new LazyPlan(this.schema, field.Type);
      fields.set(field.Name, { element: fieldElement(field.Name), type, tracking: 'all' });
    }
    const atomic = (this.ref.ElementRelationship ?? map.ElementRelationship) === 'atomic';
    return { atomic, fields, values: map.ElementType && this.child(map.ElementType) };
  }

  private child(ref: TypeRef | undefined): TypePlan {
    return ref === undefined ? DEDUCED : new LazyPlan(this.schema, ref);
  }
}

function resolve(schema: SequenceSchema, ref: TypeRef): Atom {
  const name = ref.NamedType;
  if (name === undefined) return ref.Inlined ?? {};
  const found = schema.Types.find((type) => type.Name === name);
  if (found === undefined) throw new Error(`no type ${name}`);
  return found.Atom;
}
