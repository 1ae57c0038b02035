/** The forms of answers that the SDK requests besides plain objects. */

/** Returns a form under both names of its group. The server ignores the unknown name. */
const formOf = (kind: string): string =>
  ['meta.k8s.io', 'meta.platform.io'].map((group) => `application/json;as=${kind};g=${group};v=v1`).join(',');

export const forms = {
  table: formOf('Table'),
  metadata: formOf('PartialObjectMetadata'),
  metadataList: formOf('PartialObjectMetadataList'),
} as const;
