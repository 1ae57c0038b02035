/** The order of the checks of roles and bindings. */
import type { UpdateCheck } from '../../runtime/contract/index.js';
import type { Release } from '../../runtime/objects/release.js';

/** Returns the checks of updates; early releases check everything twice, and list each error twice. */
export const updateChecks = (release: Release): readonly UpdateCheck[] => [
  ...(release.does('rolesCheckedOnce') ? [] : (['metadata', 'fields'] as const)),
  'metadata',
  'fields',
  'metadata changes',
  'field changes',
];
