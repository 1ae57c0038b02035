/** Rules for changes of ephemeral containers: they can be added, and then stay as they are. */
import type { PodSpec } from '../../../generated/types/core/v1/types.js';
import type { Draft, FieldError } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { forbidden } from '../../../runtime/objects/field-error.js';
import { quote } from '../../../runtime/objects/printing.js';
import { changedPaths } from '../../shared/changed-paths.js';

const path = 'spec.ephemeralContainers';

/** Errors of containers that were there and are gone or different, whatever their order. */
export function ephemeralUpdateErrors(
  { ephemeralContainers = [] }: Draft<PodSpec> = {},
  old: Draft<PodSpec> = {},
): readonly FieldError[] {
  const now = new Map(ephemeralContainers.map((container) => [container.name ?? '', container] as const));
  return (old.ephemeralContainers ?? []).flatMap((before) => {
    const { name = '' } = before;
    const container = now.get(name);
    if (equal(container, before)) return [];
    const start = `existing ephemeral containers ${quote(name)} may not be`;
    if (!container) return [forbidden(path, `${start} removed\n`)];
    return [forbidden(path, `${start} changed\n${changedPaths(container, before, '')}`)];
  });
}
