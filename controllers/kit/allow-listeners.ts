/** Lets many requests listen to one signal, as a controller may have one of every kind under way. */
import { setMaxListeners } from 'node:events';

/** More than there are. No limit at all, which is 0, is taken by undici's fetch for a signal that is none. */
const many = 1_000_000;

/** Keeps Node from warning of listeners that seem to be forgotten. */
export const allowListeners = (signal: AbortSignal): void => setMaxListeners(many, signal);
