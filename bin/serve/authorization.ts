/** Reads the modes of authorization, and makes of them what decides, and what guards roles. */
import {
  defineAdministrators,
  defineAlwaysAllow,
  defineAlwaysDeny,
  defineInOrder,
  defineRbac,
  type RuleResolver,
} from '../../plugins/index.js';
import type { Authorizer, Result, Store } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { badRequest } from '../../runtime/objects/status.js';

const modes = ['AlwaysAllow', 'AlwaysDeny', 'RBAC'] as const;

/** One way to decide; those that are given are asked in their order. */
export type AuthorizationMode = (typeof modes)[number];

/** Reads `--authorization-mode`: names with commas between, none of them twice. */
export function readAuthorizationModes(text: string): Result<readonly AuthorizationMode[]> {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !isMode(name));
  if (unknown.length > 0) {
    const said = unknown.map((name) => name || '(nothing)').join(', ');
    return wrong(`${said} is unknown; say names of: ${modes.join(', ')}, with commas between`);
  }
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return twice === undefined ? { ok: true, value: names.filter(isMode) } : wrong(`${twice} is given twice`);
}

const isMode = (name: string): name is AuthorizationMode => modes.some((mode) => mode === name);

const wrong = (problem: string): Result<never> => ({
  ok: false,
  failure: badRequest(`--authorization-mode: ${problem}`),
});

/** What decides, and what roles there are where rights go by them. */
export interface Authorization {
  readonly authorizer: Authorizer;
  readonly rules?: RuleResolver;
}

/** Administrators come first: no mode takes anything away from them. */
export function openAuthorization(wanted: readonly AuthorizationMode[], store: Store, names: Naming): Authorization {
  const rbac = wanted.includes('RBAC') ? defineRbac({ store, names }) : undefined;
  const authorizers = wanted.map((mode) => {
    if (mode === 'RBAC' && rbac) return rbac.authorizer;
    return mode === 'AlwaysAllow' ? defineAlwaysAllow() : defineAlwaysDeny();
  });
  const authorizer = defineInOrder([defineAdministrators(), ...authorizers]);
  return { authorizer, ...(rbac ? { rules: rbac.rules } : {}) };
}
