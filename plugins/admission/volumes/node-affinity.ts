/** The nodes that a volume can be used on. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';

/** A demand on the labels of a node. */
export interface Requirement {
  readonly key: string;
  readonly operator: 'In';
  readonly values: readonly string[];
}

/** Adds requirements to all terms of a volume's spec; none of them where a term speaks of one of their labels already. */
export function requireOfNodes(spec: JsonObject, requirements: readonly Requirement[]): void {
  const affinity = objectAt(spec, 'nodeAffinity') ?? {};
  const required = objectAt(affinity, 'required') ?? {};
  const given = objectsAt(required, 'nodeSelectorTerms');
  const keys = new Set(requirements.map(({ key }) => key));
  if (given.some((term) => expressionsOf(term).some((one) => keys.has(stringAt(one, 'key'))))) return;
  // Terms stand beside each other as alternatives, and each has to hold to the place.
  const terms = given.length > 0 ? given : [{}];
  const added = requirements.map(({ key, operator, values }): JsonObject => ({ key, operator, values: [...values] }));
  const nodeSelectorTerms = terms.map((term) => ({ ...term, matchExpressions: [...expressionsOf(term), ...added] }));
  spec.nodeAffinity = { ...affinity, required: { ...required, nodeSelectorTerms } };
}

const expressionsOf = (term: JsonObject): readonly JsonObject[] => objectsAt(term, 'matchExpressions');
