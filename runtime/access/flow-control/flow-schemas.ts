/** Reads flow schemas: which requests each is for, and how it tells their flows apart. */
import type { AccessAttributes, ApiObject, JsonValue, UserInfo } from '../../contract/index.js';
import { listOf, objectOf, textOf } from './read-spec.js';

/** A flow schema, read once. */
export interface FlowSchema {
  readonly name: string;
  readonly uid: string;
  readonly precedence: number;
  /** The name of its priority level. */
  readonly priorityLevel: string;
  /** Names the flow of a request; all are one flow where it is always empty. */
  readonly flowOf: (attributes: AccessAttributes) => string;
  readonly rules: readonly Rule[];
}

/** A rule: any of the subjects with any of the requests. */
export interface Rule {
  readonly subjects: readonly ((user: UserInfo) => boolean)[];
  readonly requests: readonly ((attributes: AccessAttributes) => boolean)[];
}

export function readFlowSchema({ metadata, spec }: ApiObject): FlowSchema {
  const { matchingPrecedence, priorityLevelConfiguration, distinguisherMethod, rules } = objectOf(spec);
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    precedence: Number(matchingPrecedence ?? 1000),
    priorityLevel: textOf(objectOf(priorityLevelConfiguration).name),
    flowOf: distinguisher(textOf(objectOf(distinguisherMethod).type)),
    rules: listOf(rules).map(readRule),
  };
}

/** The lowest number first; among equals the names decide. */
export const byPrecedence = (a: FlowSchema, b: FlowSchema): number =>
  a.precedence - b.precedence || (a.name < b.name ? -1 : 1);

function distinguisher(type: string): FlowSchema['flowOf'] {
  switch (type) {
    case 'ByUser':
      return ({ user }) => user.name;
    case 'ByNamespace':
      return (attributes) => ('path' in attributes ? '' : (attributes.namespace ?? ''));
    default:
      return () => '';
  }
}

function readRule(value: JsonValue): Rule {
  const { subjects, resourceRules, nonResourceRules } = objectOf(value);
  return {
    subjects: listOf(subjects).map(subjectMatcher),
    requests: [...listOf(resourceRules).map(resourceMatcher), ...listOf(nonResourceRules).map(pathMatcher)],
  };
}

const anything = '*';

function subjectMatcher(value: JsonValue): (user: UserInfo) => boolean {
  const subject = objectOf(value);
  switch (subject.kind) {
    case 'User': {
      const wanted = textOf(objectOf(subject.user).name);
      return ({ name }) => wanted === anything || wanted === name;
    }
    case 'Group': {
      const wanted = textOf(objectOf(subject.group).name);
      return ({ groups }) => wanted === anything || groups.includes(wanted);
    }
    case 'ServiceAccount': {
      const { namespace, name } = objectOf(subject.serviceAccount);
      const prefix = `system:serviceaccount:${textOf(namespace)}:`;
      return (user) => (name === anything ? user.name.startsWith(prefix) : user.name === prefix + textOf(name));
    }
    default:
      return () => false;
  }
}

function resourceMatcher(value: JsonValue): (attributes: AccessAttributes) => boolean {
  const rule = objectOf(value);
  const [verbs, groups, resources, namespaces] = [rule.verbs, rule.apiGroups, rule.resources, rule.namespaces].map(
    among,
  );
  return (attributes) => {
    if ('path' in attributes) return false;
    const { verb, group, resource, subresource = '', namespace = '' } = attributes;
    return (
      verbs?.(verb) === true &&
      groups?.(group) === true &&
      resources?.(subresource === '' ? resource : `${resource}/${subresource}`) === true &&
      (namespace === '' ? rule.clusterScope === true : namespaces?.(namespace) === true)
    );
  };
}

function pathMatcher(value: JsonValue): (attributes: AccessAttributes) => boolean {
  const rule = objectOf(value);
  const verbs = among(rule.verbs);
  const urls = listOf(rule.nonResourceURLs).map(textOf);
  return (attributes) =>
    'path' in attributes && verbs(attributes.verb) && urls.some((url) => coversPath(url, attributes.path));
}

const coversPath = (url: string, path: string): boolean =>
  url === path || (url.endsWith(anything) && path.startsWith(url.slice(0, -anything.length)));

/** Whether a text is in a list, which may have all. */
function among(value: JsonValue | undefined): (text: string) => boolean {
  const texts = new Set(listOf(value).map(textOf));
  return texts.has(anything) ? () => true : (text) => texts.has(text);
}
