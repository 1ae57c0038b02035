/** CSIDriver: which changes count, and how tables show it. */
import type { ApiObject, Strategy } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { getOwn, isArray, isObject, isStringArray, objectAt, stringAt } from '../../runtime/objects/guards.js';

/** Fields whose change makes a new generation: those that node agents act upon. */
const countedFields = ['requiresRepublish', 'seLinuxMount', 'tokenRequests'] as const;

export function defineCSIDriverStrategy(): Strategy {
  return {
    kind: 'storage.platform.io/CSIDriver',
    repeatsErrors: 'spec.tokenRequests',
    prepareForUpdate(object, old) {
      const before = old.metadata.generation;
      object.metadata.generation = countsAsChange(object, old) ? (before ?? 0) + 1 : before;
    },
    cell(object, column) {
      if (column === 'TokenRequests') return audiences(object);
      return column === 'Modes' ? modes(object) : undefined;
    },
  };
}

function countsAsChange(object: ApiObject, old: ApiObject): boolean {
  const spec = objectAt(object, 'spec') ?? {};
  const before = objectAt(old, 'spec') ?? {};
  return countedFields.some((field) => !equal(getOwn(spec, field), getOwn(before, field)));
}

function audiences(object: ApiObject): string {
  const requests = objectAt(object, 'spec')?.tokenRequests;
  if (!isArray(requests)) return '<unset>';
  return requests.map((request) => (isObject(request) ? stringAt(request, 'audience') : '')).join(',');
}

function modes(object: ApiObject): string {
  const found = objectAt(object, 'spec')?.volumeLifecycleModes;
  return isStringArray(found) && found.length > 0 ? found.join(',') : '<none>';
}
