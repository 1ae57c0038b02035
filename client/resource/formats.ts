/** The forms other than plain objects in which the SDK requests answers. */

/** Returns a form under both names of its group. The server ignores the name that it does not know. */
const formOf = (kind: string): string =>
  ['meta.k8s.io', 'meta.platform.io'].map((group) => `application/json;as=${kind};g=${group};v=v1`).join(',');

export const forms = {
  table: formOf('Table'),
  metadata: formOf('PartialObjectMetadata'),
  metadataList: formOf('PartialObjectMetadataList'),
} as const;
