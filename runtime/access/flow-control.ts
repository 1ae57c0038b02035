/** Tells which flow schema a request falls under, and which priority level that has. */
import type { AccessAttributes, ApiObject, JsonValue, UserInfo } from '../contract/index.js';
import { isObject } from '../objects/guards.js';
import { followObjects } from '../pipeline/follow.js';
import type { PipelineServices } from '../pipeline/write.js';

/** The uids of what a request falls under. */
export interface Flow {
  readonly flowSchema: string;
  readonly priorityLevel: string;
}

/** Returns what a request falls under; `undefined` where nothing is for it. */
export type FlowOf = (attributes: AccessAttributes) => Flow | undefined;

/** A flow schema, read once. */
interface FlowSchema {
  readonly name: string;
  readonly uid: string;
  readonly precedence: number;
  readonly priorityLevel: string;
  readonly rules: readonly Rule[];
}

interface Rule {
  readonly subjects: readonly ((user: UserInfo) => boolean)[];
  readonly requests: readonly ((attributes: AccessAttributes) => boolean)[];
}

/** Follows the flow schemas and priority levels of a server, from memory. `group` is theirs, as it is served. */
export function followFlowControl(services: Pick<PipelineServices, 'store' | 'resource'>, group: string): FlowOf {
  const schemas = new Map<string, FlowSchema>();
  const levels = new Map<string, string>();
  let inOrder: readonly OrderedSchema[] | undefined;
  followObjects(services, group, 'flowschemas', {
    changed: (object) => {
      const schema = readFlowSchema(object);
      schemas.set(schema.name, schema);
      inOrder = undefined;
    },
    removed: (_namespace, name) => {
      schemas.delete(name);
      inOrder = undefined;
    },
    reset: () => {
      schemas.clear();
      inOrder = undefined;
    },
  });
  followObjects(services, group, 'prioritylevelconfigurations', {
    changed: ({ metadata }) => {
      levels.set(metadata.name ?? '', metadata.uid ?? '');
      inOrder = undefined;
    },
    removed: (_namespace, name) => {
      levels.delete(name);
      inOrder = undefined;
    },
    reset: () => {
      levels.clear();
      inOrder = undefined;
    },
  });
  return (attributes) => {
    inOrder ??= schemasInOrder(schemas, levels);
    return inOrder.find(({ schema }) => isFor(schema, attributes))?.flow;
  };
}

/** A schema, and what all requests for which it is fall under. */
interface OrderedSchema {
  readonly schema: FlowSchema;
  readonly flow: Flow;
}

/** The schemas by precedence, but for those whose priority level there is not, which are passed over. */
function schemasInOrder(
  schemas: ReadonlyMap<string, FlowSchema>,
  levels: ReadonlyMap<string, string>,
): readonly OrderedSchema[] {
  return [...schemas.values()].sort(byPrecedence).flatMap((schema) => {
    const priorityLevel = levels.get(schema.priorityLevel);
    return priorityLevel === undefined ? [] : [{ schema, flow: { flowSchema: schema.uid, priorityLevel } }];
  });
}

/** The lowest number first; among equals the names decide. */
const byPrecedence = (a: FlowSchema, b: FlowSchema): number =>
  a.precedence - b.precedence || (a.name < b.name ? -1 : 1);

const isFor = ({ rules }: FlowSchema, attributes: AccessAttributes): boolean =>
  rules.some(
    ({ subjects, requests }) =>
      subjects.some((matches) => matches(attributes.user)) && requests.some((matches) => matches(attributes)),
  );

function readFlowSchema({ metadata, spec }: ApiObject): FlowSchema {
  const { matchingPrecedence, priorityLevelConfiguration, rules } = objectOf(spec);
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    precedence: Number(matchingPrecedence ?? 1000),
    priorityLevel: textOf(objectOf(priorityLevelConfiguration).name),
    rules: listOf(rules).map(readRule),
  };
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

const objectOf = (value: JsonValue | undefined) => (isObject(value) ? value : {});
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
