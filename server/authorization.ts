/** Makes of the modes of authorization what decides, and what guards roles. */
import {
  defineAdministrators,
  defineAlwaysAllow,
  defineAlwaysDeny,
  defineInOrder,
  defineRbac,
  type RuleResolver,
} from '../plugins/index.js';
import type { Authorizer, Store } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import type { AuthorizationMode } from './authorization-mode.js';
import type { AuthorizationOptions } from './options.js';

/** The modes that options ask for. */
export const modesOf = ({ modes, authorizer }: AuthorizationOptions = {}): readonly AuthorizationMode[] =>
  modes ?? (authorizer ? [] : ['RBAC']);

/** The authorizer, and the rules of roles where rights go by them. */
export interface Authorization {
  readonly authorizer: Authorizer;
  readonly rules?: RuleResolver;
}

/** Administrators come first: nothing else takes anything away from them. */
export function openAuthorization(options: AuthorizationOptions = {}, store: Store, names: Naming): Authorization {
  const modes = modesOf(options);
  const rbac = modes.includes('RBAC') ? defineRbac({ store, names }) : undefined;
  const authorizers = modes.map((mode) => {
    if (mode === 'RBAC' && rbac) return rbac.authorizer;
    return mode === 'AlwaysAllow' ? defineAlwaysAllow() : defineAlwaysDeny();
  });
  const own = options.authorizer ? [options.authorizer] : [];
  const authorizer = defineInOrder([defineAdministrators(), ...authorizers, ...own]);
  return { authorizer, ...(rbac ? { rules: rbac.rules } : {}) };
}
