/** An authorizer: a namespace belongs to the team with the same name, and every known user may read. */
import type { Authorizer } from 'kindforge/contract';

const looking = ['get', 'list', 'watch'];

/** Makes an authorizer for teams. A team is a group of users, and its name begins with `prefix`. */
export function defineTeams({ prefix }: { readonly prefix: string }): Authorizer {
  return {
    name: 'Teams',
    decide(attributes) {
      const { user, verb } = attributes;
      if (!user.groups.includes('system:authenticated')) return { decision: 'deny', reason: 'nobody knows who asks' };
      if (looking.includes(verb)) return { decision: 'allow', reason: 'everyone may look' };
      if ('path' in attributes || !attributes.namespace) return { decision: 'no opinion' };
      const owner = `${prefix}${attributes.namespace}`;
      return user.groups.includes(owner)
        ? { decision: 'allow', reason: `it belongs to ${owner}` }
        : { decision: 'no opinion', reason: `it belongs to ${owner}` };
    },
    rules: (user, namespace) => ({
      resourceRules: user.groups.includes(`${prefix}${namespace}`)
        ? [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]
        : [{ verbs: looking, apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['*'] }],
      incomplete: false,
    }),
  };
}
