/** Definitions of kinds as JSON, with the usual parts. */
import type { JsonObject } from '../../runtime/contract/index.js';

/** The parts in which definitions differ. */
export interface DefinedKind {
  readonly kind: string;
  /** Default: the kind in lower case with an s. */
  readonly plural?: string;
  /** Default: `example.com`. */
  readonly group?: string;
  /** Default: `Namespaced`. */
  readonly scope?: 'Cluster' | 'Namespaced';
  /** Further names. */
  readonly names?: JsonObject;
  /** The schema of whole objects in `v1`. Default: an object without fields. */
  readonly schema?: JsonObject;
  /** Default: `v1` alone. */
  readonly versions?: readonly JsonObject[];
  /** Further parts of the spec. */
  readonly spec?: JsonObject;
}

/** Makes a CustomResourceDefinition under Kubernetes names. */
export const customResource = (kind: DefinedKind): JsonObject =>
  definition('apiextensions.k8s.io/v1', 'CustomResourceDefinition', kind);

/** Makes a definition in the native format. */
export const nativeResource = (kind: DefinedKind): JsonObject =>
  definition('kindforge.dev/v1', 'ResourceDefinition', kind);

/** Makes a version with a schema for whole objects. */
export const versionOf = (name: string, storage: boolean, schema: JsonObject = { type: 'object' }): JsonObject => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: schema },
});

function definition(apiVersion: string, format: string, defined: DefinedKind): JsonObject {
  const { kind, group = 'example.com', scope = 'Namespaced', names = {}, schema, spec = {} } = defined;
  const plural = defined.plural ?? `${kind.toLowerCase()}s`;
  const versions = [...(defined.versions ?? [versionOf('v1', true, schema)])];
  return {
    apiVersion,
    kind: format,
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names: { plural, kind, ...names }, versions, ...spec },
  };
}
