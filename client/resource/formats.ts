/** Forms of answers that the SDK asks for besides objects as they are. */

/** Asks for a form by both names that its group may be served under; the server passes over the one that it lacks. */
const formOf = (kind: string): string =>
  ['meta.k8s.io', 'meta.platform.io'].map((group) => `application/json;as=${kind};g=${group};v=v1`).join(',');

/** `Accept` headers, by what is asked for. */
export const forms = {
  table: formOf('Table'),
  metadata: formOf('PartialObjectMetadata'),
  metadataList: formOf('PartialObjectMetadataList'),
} as const;
