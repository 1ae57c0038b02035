/** The object that a request is about, as the audit log names it. */
import type { AccessAttributes, ObjectMeta } from '../../contract/index.js';
import type { RequestPath } from '../../registry/route.js';

/** Empty texts are not known. */
export interface ObjectReference {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly subresource: string;
}

/** `undefined` for paths that are no resource. */
export function referenceOf(attributes: AccessAttributes, { parts }: RequestPath): ObjectReference | undefined {
  if ('path' in attributes) return undefined;
  const { resource, namespace = '', name = '', group, subresource = '' } = attributes;
  const apiVersion = parts[parts[1] === 'apis' ? 3 : 2] ?? '';
  return { resource, namespace, name, uid: '', apiGroup: group, apiVersion, resourceVersion: '', subresource };
}

/** The reference with what the object in the body says of itself, as far as the path says nothing. */
export function completed(reference: ObjectReference, metadata: ObjectMeta): ObjectReference {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
  return {
    ...reference,
    namespace: reference.namespace || namespace,
    name: reference.name || name,
    uid: reference.uid || uid,
    resourceVersion: reference.resourceVersion || resourceVersion,
  };
}
