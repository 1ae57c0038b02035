/** The types of the gate: a difference between two definitions, its verdict, and the proof of it. */
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import type { ResourceModel, VersionModel } from '../model/model.js';

/** The parties that a break affects: writing clients, reading clients, stored objects, field managers, protobuf messages. */
export type Effect = 'writers' | 'readers' | 'stored' | 'ownership' | 'wire';

/** One version of a resource in one of the two sets of definitions. */
export interface DiffedVersion {
  readonly resource: ResourceModel;
  readonly version: VersionModel;
}

/** A place where two definitions of one version differ, before it is judged. */
export interface Difference {
  /** `<plural>.<group>`. */
  readonly resource: string;
  /** Name of the version; absent for differences of the whole definition (scope, names). */
  readonly version?: string;
  /**
   * Path of the field, as in `spec.rules[].host`, and `spec.labels{}` for the values of a map; empty for the object or
   * the definition itself. For a part of the definition that has a name (subresource, column), the path is the name.
   */
  readonly path: string;
  /**
   * Keyword of the schema or key of the format that differs, as in `maxLength`, `properties`, `served`. `properties` is
   * one field that only one side has; `required` is one field that only one side requires; the path is the path of that
   * field. `x-kubernetes-validations` is one rule; old and new are the rule as an object. `type` is `int-or-string`
   * with the marker, and `any` without a type. Junctors (`allOf`, `not` …) differ as a whole.
   */
  readonly keyword: string;
  /**
   * Keys from the root of the version's schema to the node with the keyword, as in
   * `['properties', 'spec', 'properties', 'rules', 'items']`; for `properties` and `required`, to the object that has
   * the field. Absent for differences outside a schema.
   */
  readonly node?: readonly string[];
  /** Name of the field, for `properties` and `required`. */
  readonly property?: string;
  readonly old?: JsonValue;
  readonly new?: JsonValue;
}

/** One answer of a definition to an object: accepted, perhaps changed, or refused. */
export type DefinitionAnswer =
  | { readonly accepted: true; readonly object: JsonObject }
  | { readonly accepted: false; readonly causes: readonly string[] };

/** The fields that the manager of an object owns under each definition, by their paths. */
export interface OwnedFields {
  readonly old: readonly string[];
  readonly new: readonly string[];
}

/** An object, or a change of one, that shows a break. */
export interface Witness {
  /** The party that the object shows as affected. It may affect other parties too. */
  readonly effect: Exclude<Effect, 'wire'>;
  /** The stored object before the change; absent for a create. */
  readonly before?: JsonObject;
  readonly object: JsonObject;
  /** The subresource that receives the object; absent for the resource itself. */
  readonly subresource?: 'status';
  readonly old: DefinitionAnswer;
  readonly new: DefinitionAnswer;
  /** Present if the definitions disagree about it. */
  readonly owned?: OwnedFields;
}

/** The result of a search for an object with fields that change owners. `witness` is absent if none was found. */
export interface OwnershipTrial {
  readonly tried: number;
  readonly witness?: Witness;
}

/** The meaning of a difference. */
export type Verdict =
  | {
      readonly kind: 'break';
      readonly effects: readonly Effect[];
      readonly witness?: Witness;
      /** Witnesses of the effects that the first witness does not show. */
      readonly further?: readonly Witness[];
    }
  | { readonly kind: 'safe'; readonly tried: number }
  | { readonly kind: 'undecided'; readonly tried: number; readonly reason: string };

/** Judges differences of one version that exists on both sides. */
export interface Prover {
  /** Searches for a witness; the same definitions always give the same verdict. */
  judge(difference: Difference): Verdict;
  /**
   * Searches for an object that the new definition stores, and that readers of the old definition do not expect: the
   * old definition refuses it, or fills it in differently. Returns `undefined` if none was found.
   */
  newlySeen(difference: Difference): Witness | undefined;
  /** Searches for an object that both definitions accept, with fields that get other owners under the new one. */
  ownedOtherwise(difference: Difference): OwnershipTrial;
}
