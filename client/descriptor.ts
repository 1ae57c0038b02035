/** The description of a resource that generated code hands to the client, with its types. */

/** Verbs of a resource; `patch` includes apply, and `list` includes reading in chunks. */
export type ResourceVerb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** A resource of the API. `TObject`, `TApply`, and `TStatus` for the status in applies of it, are types only. */
export interface ResourceDescriptor<
  TObject = unknown,
  TApply = unknown,
  TScope extends 'Cluster' | 'Namespaced' = 'Cluster' | 'Namespaced',
  TSubresource extends string = string,
  TStatus = unknown,
  TVerb extends ResourceVerb = ResourceVerb,
> {
  /** Empty for the core group. */
  readonly group: string;
  /** The group under the names that Kubernetes clients expect, where it has another there. */
  readonly kubernetesGroup?: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly scope: TScope;
  readonly subresources: readonly TSubresource[];
  /** The verbs that it has; all of them where absent. */
  readonly allows?: readonly TVerb[];
  /** Never there at run time; carries the types. */
  readonly types?: { readonly object: TObject; readonly apply: TApply; readonly status: TStatus };
}

/**
 * Declares a resource: `defineResource<CSIDriver, CSIDriverApplyConfiguration>()({ … } as const)`. Two calls, since
 * TypeScript infers either all type parameters of a call or none.
 */
export const defineResource =
  <TObject, TApply = Partial<TObject>, TStatus = unknown>() =>
  <TScope extends 'Cluster' | 'Namespaced', TSubresource extends string, TVerb extends ResourceVerb = ResourceVerb>(
    descriptor: Omit<ResourceDescriptor<TObject, TApply, TScope, TSubresource, TStatus, TVerb>, 'types'>,
  ): ResourceDescriptor<TObject, TApply, TScope, TSubresource, TStatus, TVerb> =>
    descriptor;
