/** The form in which roles are written down, in names of the platform; lists are words with spaces between. */

/** A rule of a role. */
export type RuleFacts =
  | {
      readonly verbs: string;
      /** `core` stands for the group without a name. */
      readonly apiGroups: string;
      readonly resources: string;
      readonly resourceNames?: string;
    }
  | { readonly verbs: string; readonly nonResourceURLs: string };

/** A role. */
export interface RoleFacts {
  readonly name: string;
  /** Absent for cluster roles. */
  readonly namespace?: string;
  /** The role that this one is part of: `admin`, `edit` or `view`. */
  readonly partOf?: string;
  /** The role whose parts a controller gathers here. */
  readonly gathers?: string;
  readonly rules: readonly RuleFacts[];
}

/** A rule about resources. */
export const rule = (verbs: string, apiGroups: string, resources: string, resourceNames?: string): RuleFacts => ({
  verbs,
  apiGroups,
  resources,
  ...(resourceNames === undefined ? {} : { resourceNames }),
});

/** A rule about paths that are no resources. */
export const paths = (verbs: string, nonResourceURLs: string): RuleFacts => ({ verbs, nonResourceURLs });
