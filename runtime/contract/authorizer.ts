/** The extension point that says who may do what. */
import type { UserInfo } from './authenticator.js';

/** A question about a resource. */
export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly group: string;
  /** Of the API, as in `v1`; `*` for any. Absent where nothing says it. */
  readonly version?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** A question about a path that is no resource, such as `/metrics`. */
export interface PathAttributes {
  readonly user: UserInfo;
  /** The method in lower case. */
  readonly verb: string;
  readonly path: string;
}

/** A question to an authorizer. */
export type AccessAttributes = AuthorizationAttributes | PathAttributes;

/**
 * The decision of an authorizer. If no authorizer has an opinion, access is denied; a denial ends the question at
 * once.
 */
export interface AccessDecision {
  readonly decision: 'allow' | 'deny' | 'no opinion';
  /** Why, for who asks. */
  readonly reason?: string;
  /** An error during the decision, which is valid nevertheless. */
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

/** Rights of a user in a namespace, as far as they can be listed. */
export interface AccessRules {
  readonly resourceRules: readonly ResourceAccessRule[];
  readonly nonResourceRules: readonly PathAccessRule[];
  /** Whether there may be more. */
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}

/** One way to decide. */
export interface Authorizer {
  readonly name: string;
  readonly decide: (attributes: AccessAttributes) => AccessDecision | Promise<AccessDecision>;
  /** Lists the rights of a user in a namespace; absent where it can only decide single questions. */
  readonly rules?: (user: UserInfo, namespace: string) => AccessRules | Promise<AccessRules>;
}
