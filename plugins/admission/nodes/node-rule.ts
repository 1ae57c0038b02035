/** A rule of what nodes may write. */
import type { AdmissionAttributes, AdmissionContext, Failure } from '../../../runtime/contract/index.js';

/** Says why a node, by its name, may not make a write of the resource that the rule is about. */
export type NodeRule = (
  attributes: AdmissionAttributes,
  node: string,
  context: AdmissionContext,
) => Failure | undefined;
