/** The description of a resource, which generated code passes to the client, with its types. */

/** Verbs of a resource; `patch` includes apply, and `list` includes reading in chunks. */
export type ResourceVerb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/**
 * A resource of the API. The type parameters are the types of its objects, of its applies, and of the status in them.
 */
export interface ResourceDescriptor<
  TObject = unknown,
  TApply = unknown,
  TScope extends 'Cluster' | 'Namespaced' = 'Cluster' | 'Namespaced',
  TSubresource extends string = string,
  TStatus = unknown,
  TVerb extends ResourceVerb = ResourceVerb,
  TFollowed extends object = object,
> {
  /** Empty for the core group. */
  readonly group: string;
  /** The group's name for Kubernetes clients, if it differs. */
  readonly kubernetesGroup?: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly scope: TScope;
  readonly subresources: readonly TSubresource[];
  /** The verbs of the resource; all of them if absent. */
  readonly allows?: readonly TVerb[];
  /** The fields that name other objects, by the name of the function that reads the named object. */
  readonly follows?: Readonly<Record<string, FollowedField>>;
  /** Absent at run time; carries the types. */
  readonly types?: {
    readonly object: TObject;
    readonly apply: TApply;
    readonly status: TStatus;
    readonly followed?: TFollowed;
  };
}

/** A field that names objects of a resource. */
export interface FollowedField
  extends Pick<ResourceDescriptor, 'group' | 'kubernetesGroup' | 'version' | 'plural' | 'kind' | 'scope'> {
  /** As in `spec.project`, or `spec.members[].user` in the items of a list. */
  readonly field: string;
  /** The field with the namespace. Default: the object's own namespace. */
  readonly namespaceField?: string;
}

/**
 * Declares a resource: `defineResource<CSIDriver, CSIDriverApplyConfiguration>()({ … } as const)`. Needs two calls,
 * because TypeScript infers either all type parameters of a call or none.
 */
export const defineResource =
  <TObject, TApply = Partial<TObject>, TStatus = unknown>() =>
  <TScope extends 'Cluster' | 'Namespaced', TSubresource extends string, TVerb extends ResourceVerb = ResourceVerb>(
    descriptor: Omit<ResourceDescriptor<TObject, TApply, TScope, TSubresource, TStatus, TVerb>, 'types'>,
  ): ResourceDescriptor<TObject, TApply, TScope, TSubresource, TStatus, TVerb> =>
    descriptor;
