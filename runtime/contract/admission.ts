/** The extension point between decoding and commit: plugins that change or refuse writes. */
import type { Failure } from './failure.js';
import type { JsonObject } from './json.js';
import type { ApiObject } from './object.js';
import type { ResourceModule } from './resource.js';
import type { UserInfo } from './user.js';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** One write as plugins see it. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly resource: ResourceModule;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty where the server is still to generate it. */
  readonly name: string;
  /** The name in the path; absent for a create whose body alone says it. */
  readonly pathName?: string;
  /** The new object, absent for DELETE; mutating plugins change it in place, but for the entries of `managedFields`. */
  readonly object?: ApiObject;
  /** The stored object, absent for CREATE. */
  readonly oldObject?: ApiObject;
  readonly options: JsonObject;
  readonly user: UserInfo;
  readonly dryRun: boolean;
}

/** What a plugin may ask the server. */
export interface AdmissionContext {
  /** Reads a stored object by group, resource, namespace (empty: cluster) and name; it is frozen. */
  readonly get: (group: string, resource: string, namespace: string, name: string) => ApiObject | undefined;
  /** Whether the user may do this. */
  readonly authorize: (attributes: AuthorizationAttributes) => boolean | Promise<boolean>;
  /** Adds a Warning header to the answer. */
  readonly warn: (text: string) => void;
}

/** A question to the authorizer. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** One plugin. `undefined` admits; a failure refuses the whole request. */
export interface AdmissionPlugin {
  /** As flags name it: `NamespaceLifecycle`. */
  readonly name: string;
  /** Whether it has anything to do with this resource and operation; asked per resource, not per request. */
  readonly handles: (resource: ResourceModule, operation: Operation, subresource: string) => boolean;
  readonly admit?: (attributes: AdmissionAttributes, context: AdmissionContext) => AdmissionAnswer;
  readonly validate?: (attributes: AdmissionAttributes, context: AdmissionContext) => AdmissionAnswer;
}

export type AdmissionAnswer = Failure | undefined | Promise<Failure | undefined>;
