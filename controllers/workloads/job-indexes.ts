/** The pods of a job of which each has an index of its own, from 0 to one below the number of completions. */
import type { Job, Pod, PodSpec, PodTemplate } from './types.js';

/** Annotation of such a pod. */
export const indexAnnotation = 'batch.platform.io/job-completion-index';

export interface Indexes {
  /** Those whose pod has succeeded, in order. */
  readonly completed: readonly number[];
  /** Those that no pod has, or has had with success, in order. */
  readonly free: readonly number[];
}

/** `annotation` is the name of the index's annotation as it is served. */
export function indexesOf(
  { spec = {} }: Job,
  active: readonly Pod[],
  succeeded: readonly Pod[],
  annotation: string,
): Indexes {
  const indexOf = ({ metadata }: Pod): number => Number(metadata.annotations?.[annotation] ?? -1);
  const done = new Set(succeeded.map(indexOf));
  const taken = new Set([...done, ...active.map(indexOf)]);
  const all = Array.from({ length: spec.completions ?? 0 }, (_, index) => index);
  return { completed: all.filter((index) => done.has(index)), free: all.filter((index) => !taken.has(index)) };
}

/** Numbers in order as text: `0-2,5`. */
export function rangesText(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}

/** The template of the pod of an index: its containers find the index in their environment. */
export function indexedTemplate({ metadata, spec = {} }: Job, index: number, annotation: string): PodTemplate {
  const { metadata: given = {}, spec: pod = {} } = spec.template ?? {};
  const variable = {
    name: 'JOB_COMPLETION_INDEX',
    valueFrom: { fieldRef: { fieldPath: `metadata.annotations['${annotation}']` } },
  };
  const withIndex = (containers: NonNullable<PodSpec['containers']>) =>
    containers.map((each) => ({ ...each, env: [...(each.env ?? []), variable] }));
  return {
    metadata: { ...given, annotations: { ...given.annotations, [annotation]: String(index) } },
    spec: {
      ...pod,
      hostname: `${metadata.name}-${index}`,
      containers: withIndex(pod.containers ?? []),
      ...(pod.initContainers && { initContainers: withIndex(pod.initContainers) }),
    },
  };
}
