/** A control: one rule of pod security, with all versions of it. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { isString, objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { byCodePoint } from '../../../runtime/objects/printing.js';
import type { Version } from './policies.js';

/** A rule and its history. */
export interface Control {
  readonly id: string;
  /** The level that has it. The restricted level has those of the baseline level, too. */
  readonly level: 'baseline' | 'restricted';
  /** The control of the baseline level that says nothing besides, as this one is stricter. */
  readonly replaces?: string;
  /** From the first version on, each up to the next one. */
  readonly versions: readonly VersionedCheck[];
}

export interface VersionedCheck {
  readonly since: Version;
  readonly check: Check;
}

export type Check = (pod: JudgedPod, names: Naming) => Violation | undefined;

/** How a pod breaks a control. */
export interface Violation {
  /** Of all pods that break it. */
  readonly reason: string;
  /** Of this one. */
  readonly detail: string;
}

/** The parts of a pod that controls look at. */
export interface JudgedPod {
  readonly annotations: ReadonlyMap<string, string>;
  readonly spec: JsonObject;
  readonly securityContext: JsonObject | undefined;
  /** Init containers first, ephemeral ones last. */
  readonly containers: readonly JudgedContainer[];
}

export interface JudgedContainer {
  readonly name: string;
  readonly spec: JsonObject;
  readonly securityContext: JsonObject | undefined;
}

/** A pod, or the template of pods, as controls see it. */
export function toJudged(metadata: JsonObject | undefined, spec: JsonObject): JudgedPod {
  const annotations = Object.entries(objectAt(metadata, 'annotations') ?? {});
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => objectsAt(spec, list));
  return {
    annotations: new Map(annotations.flatMap(([key, value]) => (isString(value) ? [[key, value] as const] : []))),
    spec,
    securityContext: objectAt(spec, 'securityContext'),
    containers: containers.map((container) => ({
      name: stringAt(container, 'name'),
      spec: container,
      securityContext: objectAt(container, 'securityContext'),
    })),
  };
}

/** A check that does not look at pods that say that they run on Windows, where its fields mean nothing. */
export const unlessOnWindows =
  (check: Check): Check =>
  (pod, names) =>
    stringAt(objectAt(pod.spec, 'os'), 'name') === 'windows' ? undefined : check(pod, names);

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
