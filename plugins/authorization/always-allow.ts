/** Lets everyone do everything. */
import type { Authorizer } from '../../runtime/contract/index.js';

const all = ['*'];

export function defineAlwaysAllow(): Authorizer {
  return {
    name: 'AlwaysAllow',
    decide: () => ({ decision: 'allow' }),
    rules: () => ({
      resourceRules: [{ verbs: all, apiGroups: all, resources: all }],
      nonResourceRules: [{ verbs: all, nonResourceURLs: all }],
      incomplete: false,
    }),
  };
}
