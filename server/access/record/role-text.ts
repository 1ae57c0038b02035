/** Writes roles as YAML, with the commands that bind them. */
import { dump } from 'js-yaml';
import type { PolicyRule } from '../../../plugins/index.js';
import type { ScopedRules } from './rights.js';

/** `group` is that of roles on the server. Empty where no role is needed. */
export const roleText = (scopes: readonly ScopedRules[], name: string, group: string): string =>
  scopes.map((scope) => documentOf(scope, name, group)).join('---\n');

function documentOf({ namespace, rules }: ScopedRules, name: string, group: string): string {
  const isCluster = namespace === '';
  const bind = isCluster
    ? `kubectl create clusterrolebinding ${name} --clusterrole ${name} --user <user>`
    : `kubectl create rolebinding ${name} --role ${name} --user <user> --namespace ${namespace}`;
  const object = {
    apiVersion: `${group}/v1`,
    kind: isCluster ? 'ClusterRole' : 'Role',
    metadata: isCluster ? { name } : { name, namespace },
    rules: rules.map(fieldsOf),
  };
  return `# To give it to somebody:\n#   ${bind}\n${dump(object, { lineWidth: 120, flowLevel: 3 })}`;
}

/** The fields that say something. */
function fieldsOf({ apiGroups, resources, resourceNames, nonResourceURLs, verbs }: PolicyRule): object {
  if (nonResourceURLs.length > 0) return { nonResourceURLs, verbs };
  return { apiGroups, resources, ...(resourceNames.length === 0 ? {} : { resourceNames }), verbs };
}
