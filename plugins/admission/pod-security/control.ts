/** A control is one rule of pod security with its history of versions. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { isString, objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { byCodePoint } from '../../../runtime/objects/printing.js';
import type { Version } from './policies.js';

export interface Control {
  readonly id: string;
  /** The restricted level also has the controls of the baseline level. */
  readonly level: 'baseline' | 'restricted';
  /** The baseline control that this stricter control makes redundant. */
  readonly replaces?: string;
  /** Each version applies until the next one. */
  readonly versions: readonly VersionedCheck[];
}

export interface VersionedCheck {
  readonly since: Version;
  readonly check: Check;
}

export type Check = (pod: JudgedPod, names: Naming) => Violation | undefined;

export interface Violation {
  /** The same for all pods that break the control. */
  readonly reason: string;
  /** The forbidden settings of this pod. */
  readonly detail: string;
}

/** The parts of a pod that controls check. */
export interface JudgedPod {
  readonly annotations: ReadonlyMap<string, string>;
  readonly spec: JsonObject;
  readonly securityContext: JsonObject | undefined;
  /** Init containers first, ephemeral containers last. */
  readonly containers: readonly JudgedContainer[];
}

export interface JudgedContainer {
  readonly name: string;
  readonly spec: JsonObject;
  readonly securityContext: JsonObject | undefined;
}

/** Returns a pod, or a pod template, as controls see it. */
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

/** Skips a check for Windows pods, because its fields mean nothing there. */
export const unlessOnWindows =
  (check: Check): Check =>
  (pod, names) =>
    stringAt(objectAt(pod.spec, 'os'), 'name') === 'windows' ? undefined : check(pod, names);

export const counted = (one: string, many: string, count: number): string => (count === 1 ? one : many);

/** Joins quoted texts, as in `"a", "b"`. */
export const quoted = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join(', ');

/** Returns each text once, sorted. */
export const distinct = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].sort(byCodePoint);

/** Returns the names of containers, as in `containers "a", "b"`. */
export const containersText = (containers: readonly JudgedContainer[]): string =>
  `${counted('container', 'containers', containers.length)} ${quoted(containers.map(({ name }) => name))}`;

/** Returns what sets a field, as in `pod and container "a"`; empty if nothing sets it. */
export const settersText = (isPod: boolean, containers: readonly JudgedContainer[]): string =>
  [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [containersText(containers)] : [])].join(' and ');
