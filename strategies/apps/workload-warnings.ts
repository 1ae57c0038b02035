/** Warnings about workloads: about names that pods inherit, and about the pods themselves. */
import type { ObjectMeta } from '../../runtime/contract/index.js';
import { dns1123Label } from '../../runtime/objects/names/dns-names.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { type PodTemplate, podTemplateWarnings } from '../core/pod-spec/pod-template.js';

type Named = { readonly metadata: ObjectMeta };

/** A workload with the template of its pods at `spec.template`. */
interface Workload extends Named {
  readonly spec?: { readonly template?: PodTemplate | undefined } | undefined;
}

/** Warns about the name of a new workload that is no DNS label, as the names of its pods and their hosts should be. */
export function podNameWarnings({ metadata }: Named, old: Named | undefined): readonly string[] {
  const problems = old === undefined ? dns1123Label(metadata.name ?? '') : [];
  if (problems.length === 0) return [];
  const advice = 'this is used in Pod names and hostnames, which can result in surprising behavior';
  return [`metadata.name: ${advice}; a DNS label is recommended: [${problems.join(' ')}]`];
}

/** Warns about the pods of a workload that is new, or whose desired state has changed. */
export const templateWarnings = (workload: Workload, old: Workload | undefined, names: Naming): readonly string[] =>
  isNewState(workload, old) ? podTemplateWarnings(workload.spec?.template, 'spec.template', names) : [];

/** Whether a workload is new, or its desired state has changed. */
export const isNewState = ({ metadata }: Named, old: Named | undefined): boolean =>
  old === undefined || old.metadata.generation !== metadata.generation;
