/** The writes of its own Node object that a node may make. */
import type { AdmissionAttributes, ApiObject, Failure } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { objectAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { quote } from '../../../runtime/objects/printing.js';
import { refuse } from '../refuse.js';
import { forbiddenLabels } from './node-labels.js';
import type { NodeRule } from './node-rule.js';

export function ownNodeRule(names: Naming): NodeRule {
  const forbidden = forbiddenLabels(names);
  return (attributes, node) => {
    const { operation, name, object, oldObject } = attributes;
    if (name !== node) return refuse(attributes, `node ${quote(node)} is not allowed to modify node ${quote(name)}`);
    if (!object || operation === 'DELETE') return undefined;
    const labels = forbidden(object.metadata.labels ?? {}, oldObject?.metadata.labels ?? {});
    return oldObject
      ? checkChange(attributes, node, object, oldObject, labels)
      : checkRegistration(attributes, node, object, labels);
  };
}

function checkRegistration(
  attributes: AdmissionAttributes,
  node: string,
  object: ApiObject,
  labels: readonly string[],
): Failure | undefined {
  if (configSourceOf(object)) {
    return refuse(attributes, `node ${quote(node)} is not allowed to create pods with a non-nil configSource`);
  }
  if (labels.length === 0) return undefined;
  return refuse(attributes, `node ${quote(node)} is not allowed to set the following labels: ${labels.join(', ')}`);
}

/** Otherwise a node could rid itself of taints that keep pods away. */
function checkChange(
  attributes: AdmissionAttributes,
  node: string,
  object: ApiObject,
  oldObject: ApiObject,
  labels: readonly string[],
): Failure | undefined {
  const source = configSourceOf(object);
  if (source && !equal(source, configSourceOf(oldObject))) {
    const why = 'is not allowed to update configSource to a new non-nil configSource';
    return refuse(attributes, `node ${quote(node)} ${why}`);
  }
  if (!equal(taintsOf(object), taintsOf(oldObject))) {
    return refuse(attributes, `node ${quote(node)} is not allowed to modify taints`);
  }
  return labels.length === 0 ? undefined : refuse(attributes, `is not allowed to modify labels: ${labels.join(', ')}`);
}

const configSourceOf = (node: ApiObject) => objectAt(objectAt(node, 'spec'), 'configSource');

const taintsOf = (node: ApiObject) => objectAt(node, 'spec')?.taints ?? [];
