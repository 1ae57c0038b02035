/** Behaviours of the server that differ between releases, if no definition can express them. */
import { kindBehaviours } from './behaviours/kinds.js';
import { podBehaviours } from './behaviours/pods.js';
import { serverBehaviours } from './behaviours/server.js';

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

/** All behaviours, by name. Add a row to the file of the kinds that it is about. */
export const behaviours = { ...kindBehaviours, ...podBehaviours, ...serverBehaviours } as const satisfies Readonly<
  Record<string, BehaviourLife>
>;

/** The name of a behaviour. */
export type Behaviour = keyof typeof behaviours;
