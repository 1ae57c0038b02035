/** Makes the authorizer, and the guard of roles, from the modes of authorization. */
import { readFileSync } from 'node:fs';
import {
  defineAbac,
  defineAdministrators,
  defineAlwaysAllow,
  defineAlwaysDeny,
  defineInOrder,
  defineNode,
  defineRbac,
  type RuleResolver,
  readPolicyFile,
} from '../plugins/index.js';
import type { Authorizer, Follow } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import type { Release } from '../runtime/objects/release.js';
import type { AuthorizationMode, AuthorizationOptions } from './access-options.js';
import { rulesOfSystemRole } from './bootstrap/index.js';
import { explaining } from './explain.js';
import type { OnProblem } from './options.js';
import { openAuthorizationWebhook } from './parts/check-authorization.js';
import type { OutgoingCalls } from './webhooks/outgoing-calls.js';

/** Returns the modes of the options. */
export const modesOf = ({ modes, authorizer }: AuthorizationOptions = {}): readonly AuthorizationMode[] =>
  modes ?? (authorizer ? [] : ['RBAC']);

/** The authorizer, and the rules of roles if RBAC is used. */
export interface Authorization {
  readonly authorizer: Authorizer;
  readonly rules?: RuleResolver;
}

/** The parts of a server that its authorization uses. */
export interface AuthorizationParts {
  readonly follow: Follow;
  readonly names: Naming;
  readonly onProblem: OnProblem;
  readonly calls: OutgoingCalls;
  /** Decides after all others, for the console. */
  readonly console: Authorizer | undefined;
  readonly release: Release;
  readonly featureEnabled: (gate: string) => boolean;
  /** Arranges the authorizers by a file; absent without one. */
  readonly configure?: ((authorizerOf: (mode: AuthorizationMode) => Authorizer | undefined) => Authorizer) | undefined;
}

/**
 * Opens the authorization. Checks administrators first, so that nothing can take away their rights. Rejects if a file
 * of the options cannot be used.
 */
export async function openAuthorization(
  options: AuthorizationOptions = {},
  { follow, names, onProblem, calls, console, release, featureEnabled, configure }: AuthorizationParts,
): Promise<Authorization> {
  const modes = modesOf(options);
  const rbac = modes.includes('RBAC') ? defineRbac({ follow, names }) : undefined;
  const open = async (mode: AuthorizationMode): Promise<Authorizer> => {
    if (mode === 'RBAC' && rbac) return rbac.authorizer;
    if (mode === 'ABAC') return openPolicyFile(options.policyFile ?? '', names, onProblem);
    if (mode === 'Node') {
      return defineNode({ follow, names, rules: rulesOfSystemRole('system:node', names, release), featureEnabled });
    }
    if (mode === 'Webhook' && options.webhook)
      return openAuthorizationWebhook(options.webhook, names, onProblem, calls);
    return mode === 'AlwaysAllow' ? defineAlwaysAllow() : defineAlwaysDeny();
  };
  const opened = await Promise.all(modes.map(async (mode) => [mode, await open(mode)] as const));
  const byMode = new Map(opened);
  const always: readonly AuthorizationMode[] = ['AlwaysAllow', 'AlwaysDeny'];
  for (const mode of configure ? always : []) byMode.set(mode, await open(mode));
  const authorizers = configure ? [configure((mode) => byMode.get(mode))] : opened.map(([, authorizer]) => authorizer);
  const own = [options.authorizer, console].filter((one) => one !== undefined);
  const authorizer = defineInOrder([defineAdministrators(), ...authorizers, ...own]);
  return { authorizer, ...(rbac ? { rules: rbac.rules } : {}) };
}

async function openPolicyFile(path: string, { rename }: Naming, onProblem: OnProblem): Promise<Authorizer> {
  const text = await explaining(
    () => readFileSync(path, 'utf8'),
    ({ message }, nameOf) => `${nameOf('authorization.policyFile')} ${path}: ${message}`,
  );
  const read = readPolicyFile(text, rename('abac.authorization.platform.io'));
  if (!read.ok) throw new Error(`${path}: ${read.problem}`);
  for (const warning of read.warnings) onProblem(`${path}: ${warning}`);
  return defineAbac(read.policies);
}
