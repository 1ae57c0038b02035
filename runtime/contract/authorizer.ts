/** The extension point that decides what users may do. */
import type { UserInfo } from './authenticator.js';

/** A requirement of a selector, on a field or on a label. */
export interface SelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** Absent for `Exists` and `DoesNotExist`. Fields have one value, and no other operators than `In` and `NotIn`. */
  readonly values?: readonly string[];
}

/** A question about a resource. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly group: string;
  /** The API version, as in `v1`; `*` for any. Absent if unknown. */
  readonly version?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /**
   * The requirements on fields that select the objects of a list, watch or deletecollection. An authorizer may ignore
   * them. Absent if the request has no requirements, or none that the server can read.
   */
  readonly fieldSelector?: readonly SelectorRequirement[];
  /** The same for labels. */
  readonly labelSelector?: readonly SelectorRequirement[];
}

/** A question about a path outside of resources, such as `/metrics`. */
export interface PathAttributes {
  readonly user: UserInfo;
  /** The method in lower case. */
  readonly verb: string;
  readonly path: string;
}

export type AccessAttributes = AuthorizationAttributes | PathAttributes;

/**
 * A right without its user: a verb on a resource, or on a path outside of resources. `name` limits it to one object.
 */
export type AskedRight =
  | (Omit<AuthorizationAttributes, 'user' | 'group'> & { readonly group?: string })
  | Omit<PathAttributes, 'user'>;

/** Returns whether a user has a right. */
export type Can = (right: AskedRight) => Promise<boolean>;

/** Returns whether the authorizer allows something. */
export type Allows = (attributes: AccessAttributes) => boolean | Promise<boolean>;

/**
 * The decision of an authorizer. With `no opinion`, the server asks the next authorizer. If none has an opinion, the
 * server denies access. A denial is final.
 */
export interface AccessDecision {
  readonly decision: 'allow' | 'deny' | 'no opinion';
  /** The reason, for the user. */
  readonly reason?: string;
  /** An error during the decision. The decision is valid anyway. */
  readonly evaluationError?: string;
}

/** Rights of a user on resources. `*` stands for all. */
export interface ResourceAccessRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** Rights of a user on other paths. `*` stands for all. */
export interface PathAccessRule {
  readonly verbs: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** The rights of a user in a namespace that can be listed. */
export interface AccessRules {
  readonly resourceRules: readonly ResourceAccessRule[];
  readonly nonResourceRules: readonly PathAccessRule[];
  /** Whether the user may have more rights. */
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}

/** One method of authorization. */
export interface Authorizer {
  readonly name: string;
  readonly decide: (attributes: AccessAttributes) => AccessDecision | Promise<AccessDecision>;
  /** Lists the rights of a user in a namespace; absent if it can only answer single questions. */
  readonly rules?: (user: UserInfo, namespace: string) => AccessRules | Promise<AccessRules>;
}
