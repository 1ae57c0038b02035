/** Tells at the start of kinds that are served although the admission plugin that acts on their objects is off. */
import { admissionTable } from '../../plugins/index.js';
import type { ResourceIndex } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';

/** A sentence for each plugin that is switched off while its kind is served. */
export function idleKinds(
  disabled: readonly string[],
  resources: Pick<ResourceIndex, 'find'>,
  { rename }: Naming,
): readonly string[] {
  return admissionTable.flatMap(({ name, kind }) => {
    if (!kind || !disabled.includes(name)) return [];
    const group = rename(kind.group);
    const place = `${group}/${kind.version}/${kind.resource}`;
    return resources.find(group, kind.version, kind.resource)
      ? [`${name} is off, so that objects of ${place} have no effect; add ${place}=false to the runtime config`]
      : [];
  });
}
