/** Reads questions about rights from the words that users type. */
import type { DiscoveredResource } from '../../client/index.js';
import { didYouMean } from '../../runtime/objects/suggest.js';

/** A question about a resource. */
export interface ResourceQuestion {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for all objects. */
  readonly name: string;
  /** Empty for resources of the cluster, and for all namespaces together. */
  readonly namespace: string;
}

/** A question about a path outside the resources, by its method in lower case. */
export interface PathQuestion {
  readonly verb: string;
  readonly path: string;
}

export type Question = ResourceQuestion | PathQuestion;

export interface QuestionWords {
  readonly verb: string;
  /** As in `pods`, `po`, `deployments.apps` or `pods/log`, or a path that begins with a slash. */
  readonly resource: string;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
  readonly namespace: string;
  readonly allNamespaces: boolean;
}

/** A question, with remarks on how its words were read. */
export interface ReadQuestion {
  readonly question: Question;
  /** Whether the question is about all namespaces. False for objects that are not in namespaces. */
  readonly everywhere: boolean;
  readonly remarks: readonly string[];
}

const knownVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
const specialVerbs = ['approve', 'bind', 'escalate', 'impersonate', 'sign', 'use', '*'];

/** Reads words as kubectl does; `resources` are the server's resources. */
export function readQuestion(words: QuestionWords, resources: readonly DiscoveredResource[]): ReadQuestion {
  const verb = words.verb.toLowerCase();
  if (words.resource.startsWith('/'))
    return { question: { verb, path: words.resource }, everywhere: false, remarks: [] };
  const known = [...knownVerbs, ...specialVerbs];
  const meant = known.includes(verb) ? undefined : didYouMean(verb, known);
  const remarks = meant === undefined ? [] : [`${verb} is not a usual verb; ${meant}`];
  const [typed = '', ...sub] = words.resource.split('/');
  const subresource = words.subresource ?? sub.join('/');
  const { name = '' } = words;
  const found = findResource(typed, resources);
  if (!found) {
    const [resource = '', ...group] = typed.split('.');
    const near = didYouMean(
      typed,
      resources.map(({ plural }) => plural),
    );
    const hint = near === undefined ? 'it is used as written' : `${near} It is used as written`;
    const namespace = words.allNamespaces ? '' : words.namespace;
    return {
      question: { verb, group: group.join('.'), resource, subresource, name, namespace },
      everywhere: words.allNamespaces,
      remarks: typed === '*' ? remarks : [...remarks, `the server has no resource ${typed}; ${hint}`],
    };
  }
  const { group, plural: resource } = found;
  const everywhere = words.allNamespaces && found.scope === 'Namespaced';
  const namespace = found.scope === 'Cluster' || everywhere ? '' : words.namespace;
  const question = { verb, group, resource, subresource, name, namespace };
  return { question: { ...question, namespace: ownNamespace(question) ?? namespace }, everywhere, remarks };
}

/** Returns the namespace of a question. A request for a single Namespace counts as a request in it. */
const ownNamespace = ({ group, resource, name, verb }: ResourceQuestion): string | undefined =>
  group === '' && resource === 'namespaces' && name !== '' && !['create', 'list', 'watch'].includes(verb)
    ? name
    : undefined;

/** Finds a resource by plural, kind or short name, with or without its group; the core group comes first. */
export function findResource(typed: string, resources: readonly DiscoveredResource[]): DiscoveredResource | undefined {
  const word = typed.toLowerCase();
  const goesBy = ({ plural, kind, shortNames }: DiscoveredResource, name: string): boolean =>
    plural === name || kind.toLowerCase() === name || shortNames.includes(name);
  const dot = word.indexOf('.');
  const [name, group] = dot < 0 ? [word, undefined] : [word.slice(0, dot), word.slice(dot + 1)];
  const named = resources.filter((one) => goesBy(one, name));
  return group === undefined ? named[0] : named.find((one) => one.group === group || one.group.startsWith(`${group}.`));
}

/** Prints a resource as people write it, as in `deployments.apps`. */
export const resourceName = ({ group, resource }: { readonly group: string; readonly resource: string }): string =>
  group === '' ? resource : `${resource}.${group}`;

/** Prints a question in words, as in `get pods/log "web" in namespace shop`. */
export function describeQuestion(question: Question): string {
  if ('path' in question) return `${question.verb} ${question.path}`;
  const { verb, subresource, name, namespace } = question;
  const what = subresource === '' ? resourceName(question) : `${resourceName(question)}/${subresource}`;
  return [
    `${verb} ${what}`,
    ...(name === '' ? [] : [JSON.stringify(name)]),
    ...(namespace === '' ? [] : [`in namespace ${namespace}`]),
  ].join(' ');
}

/** A user with all of its groups. */
export interface AskedUser {
  readonly name: string;
  readonly groups: readonly string[];
}

const accountPrefix = 'system:serviceaccount:';
const anonymous = 'system:anonymous';
const [authenticated, unauthenticated] = ['system:authenticated', 'system:unauthenticated'];

/**
 * Returns a user with the groups that a request acting as this user has. Named groups replace a service account's
 * groups.
 */
export function askedUser(name: string, named: readonly string[]): AskedUser {
  const [namespace, account] = name.startsWith(accountPrefix) ? name.slice(accountPrefix.length).split(':') : [];
  const ofAccount =
    namespace && account && named.length === 0 ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`] : [];
  const groups = [...named, ...ofAccount];
  const everyone = name === anonymous ? unauthenticated : authenticated;
  const isSaid = groups.includes(everyone) || groups.includes(unauthenticated);
  return { name, groups: isSaid ? groups : [...groups, everyone] };
}
