/** Reads CustomResourceDefinitions. */
import type { DynamicObject } from 'kindforge/client';
import { listAt, textAt, textsAt, valueAt } from './json.js';

export interface CustomVersion {
  readonly name: string;
  readonly isServed: boolean;
  readonly isStorage: boolean;
  /** The warning to users of the version, if it is deprecated. */
  readonly warning?: string | undefined;
  /** The schema; `undefined` if the version has none. */
  readonly schema: unknown;
}

export interface DefinitionCondition {
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** Whether the state is good. */
  readonly isGood: boolean;
}

export interface CustomDefinition {
  readonly object: DynamicObject;
  readonly name: string;
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly shortNames: readonly string[];
  readonly versions: readonly CustomVersion[];
  /** Versions in which objects may be stored. */
  readonly storedVersions: readonly string[];
  readonly conditions: readonly DefinitionCondition[];
}

/** Conditions that are good if they are true. All others are good if they are false. */
const wished = ['Established', 'NamesAccepted', 'KubernetesAPIApprovalPolicyConformant'];

export function readCustomDefinition(object: DynamicObject): CustomDefinition {
  const [spec, status] = [valueAt(object, 'spec'), valueAt(object, 'status')];
  const names = valueAt(spec, 'names');
  return {
    object,
    name: object.metadata.name ?? '',
    group: textAt(spec, 'group'),
    plural: textAt(names, 'plural'),
    kind: textAt(names, 'kind'),
    scope: textAt(spec, 'scope') === 'Cluster' ? 'Cluster' : 'Namespaced',
    shortNames: textsAt(names, 'shortNames'),
    versions: listAt(spec, 'versions').map((version) => readVersion(version, object)),
    storedVersions: textsAt(status, 'storedVersions'),
    conditions: listAt(status, 'conditions').map(readCondition),
  };
}

function readVersion(version: unknown, object: DynamicObject): CustomVersion {
  const name = textAt(version, 'name');
  const [spec, isDeprecated] = [valueAt(object, 'spec'), valueAt(version, 'deprecated') === true];
  // The API server sends this text if the definition has none.
  const usual = `${textAt(spec, 'group')}/${name} ${textAt(valueAt(spec, 'names'), 'kind')} is deprecated`;
  return {
    name,
    isServed: valueAt(version, 'served') === true,
    isStorage: valueAt(version, 'storage') === true,
    warning: isDeprecated ? textAt(version, 'deprecationWarning') || usual : undefined,
    schema: valueAt(valueAt(version, 'schema'), 'openAPIV3Schema'),
  };
}

function readCondition(condition: unknown): DefinitionCondition {
  const [type, status] = [textAt(condition, 'type'), textAt(condition, 'status')];
  return {
    type,
    status,
    reason: textAt(condition, 'reason'),
    message: textAt(condition, 'message'),
    isGood: (status === 'True') === wished.includes(type),
  };
}
