/** Behaviours of the server that differ between releases, and that no definition can say. */

/** The releases with a behaviour, and its description. */
export interface BehaviourLife {
  /** The first release with it. */
  readonly introduced: string;
  /** The first release without it. */
  readonly removed?: string;
  /** Whether it is part of the machinery for custom resources, which is the latest if no release is emulated. */
  readonly machinery?: true;
  /** A sentence about the server, for `kindforge releases` and the docs. */
  readonly about: string;
}

/** By name, sorted. */
export const behaviours = {
  laterExpressions: {
    introduced: '1.28',
    machinery: true,
    about: 'Rules of definitions may use the libraries and fields that came after 1.27.',
  },
  laterPolicies: {
    introduced: '1.28',
    machinery: true,
    about: 'Policies have variables, `namespaceObject`, later libraries, and parameters by selector.',
  },
  statusOfPoliciesByController: {
    introduced: '1.28',
    about: 'The types of policies are checked by a controller, so not if no controllers are chosen.',
  },
} as const satisfies Readonly<Record<string, BehaviourLife>>;

/** The name of a behaviour. */
export type Behaviour = keyof typeof behaviours;
