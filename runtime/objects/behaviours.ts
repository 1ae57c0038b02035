/** Behaviours of the server that differ between releases, and that no definition can say. */

/** One behaviour. */
export interface BehaviourLife {
  /** The first release with it. */
  readonly introduced: string;
  /** The first release without it. */
  readonly removed?: string;
  /** Whether it is part of the machinery for custom resources, which is the latest where no release is emulated. */
  readonly machinery?: true;
  /** What the server does, for `kindforge releases` and the docs. */
  readonly about: string;
}

/** By name, sorted. */
export const behaviours = {
  laterExpressions: {
    introduced: '1.28',
    machinery: true,
    about: 'Rules of definitions may use the libraries and fields that came after 1.27.',
  },
  podGenerations: {
    introduced: '1.33',
    about: 'Pods have a generation, which counts changes of their spec.',
  },
} as const satisfies Readonly<Record<string, BehaviourLife>>;

/** The name of a behaviour. */
export type Behaviour = keyof typeof behaviours;
