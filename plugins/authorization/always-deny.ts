/** Denies everything that no authorizer before it allows. */
import type { Authorizer } from '../../runtime/contract/index.js';

export function defineAlwaysDeny(): Authorizer {
  return {
    name: 'AlwaysDeny',
    decide: () => ({ decision: 'no opinion', reason: 'Everything is forbidden.' }),
    rules: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
  };
}
