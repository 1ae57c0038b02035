/** The kinds that policies are never used on. */
import type { ResourceModule } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';

/** Policies and bindings, so that a bad one can always be removed. */
const ownResources: ReadonlySet<string> = new Set([
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
]);

/** Reviews, by group: they ask questions, and store nothing. */
const reviews: ReadonlyMap<string, readonly string[]> = new Map([
  ['authentication.platform.io', ['selfsubjectreviews', 'tokenreviews']],
  [
    'authorization.platform.io',
    ['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'],
  ],
]);

/** Returns whether policies are used on a resource. Release 1.27 uses them on reviews, too. */
export function isGoverned({ rename }: Naming, later: boolean): (resource: ResourceModule) => boolean {
  const own = rename('admissionregistration.platform.io');
  const left = new Map([...reviews].map(([group, plurals]) => [rename(group), plurals]));
  return ({ group, names: { plural } }) =>
    group === own ? !ownResources.has(plural) : !(later && left.get(group)?.includes(plural));
}
