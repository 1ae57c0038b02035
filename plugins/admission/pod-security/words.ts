/** Words of messages about pods that break controls. */
import { byCodePoint } from '../../../runtime/objects/printing.js';
import type { JudgedContainer } from './control.js';

export const counted = (one: string, many: string, count: number): string => (count === 1 ? one : many);

/** As in `"a", "b"`. */
export const quoted = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join(', ');

/** Each text once, in order. */
export const distinct = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].sort(byCodePoint);

/** As in `containers "a", "b"`. */
export const containersText = (containers: readonly JudgedContainer[]): string =>
  `${counted('container', 'containers', containers.length)} ${quoted(containers.map(({ name }) => name))}`;

/** The pod, containers, or both; as in `pod and container "a"`. Empty where it is nobody. */
export const settersText = (isPod: boolean, containers: readonly JudgedContainer[]): string =>
  [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [containersText(containers)] : [])].join(' and ');
