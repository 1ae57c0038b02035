/** Behaviours of the server that differ between releases, and that no definition can say. */
import { kindBehaviours } from './behaviours/kinds.js';
import { podBehaviours } from './behaviours/pods.js';
import { serverBehaviours } from './behaviours/server.js';

/** By name. A row belongs in the file of the kinds that it is about. */
export const behaviours = { ...kindBehaviours, ...podBehaviours, ...serverBehaviours } as const;

/** The name of a behaviour. */
export type Behaviour = keyof typeof behaviours;

export type { BehaviourLife } from './behaviours/behaviour-life.js';
