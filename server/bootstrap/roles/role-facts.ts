/** The short form of roles in this folder, with the names of the platform. Lists are words with spaces between them. */

import type { Lifetime } from '../../../runtime/objects/release.js';

/** A rule without releases is in all of them. */
export type RuleFacts = Lifetime &
  (
    | {
        readonly verbs: string;
        /** `core` is the group without a name. */
        readonly apiGroups: string;
        readonly resources: string;
        readonly resourceNames?: string;
      }
    | { readonly verbs: string; readonly nonResourceURLs: string }
  );

/** A role without releases is in all of them. */
export interface RoleFacts extends Lifetime {
  readonly name: string;
  /** Absent for cluster roles. */
  readonly namespace?: string;
  /** The role that this one is part of: `admin`, `edit` or `view`. */
  readonly partOf?: string;
  /** The role that a controller fills with the rules of this one. */
  readonly gathers?: string;
  readonly rules: readonly RuleFacts[];
}

/** Returns a rule about resources. */
export const rule = (verbs: string, apiGroups: string, resources: string, resourceNames?: string): RuleFacts => ({
  verbs,
  apiGroups,
  resources,
  ...(resourceNames === undefined ? {} : { resourceNames }),
});

/** Returns a rule about paths outside the resources. */
export const paths = (verbs: string, nonResourceURLs: string): RuleFacts => ({ verbs, nonResourceURLs });

/** Marks a rule, or anything else, with the release that introduced it. */
export const since = <T extends Lifetime>(introduced: string, one: T): T => ({ ...one, introduced });

/** Marks a rule, or anything else, with the first release without it. */
export const until = <T extends Lifetime>(removed: string, one: T): T => ({ ...one, removed });
