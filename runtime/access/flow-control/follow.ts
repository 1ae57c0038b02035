/** Follows the flow schemas and priority levels in memory, and keeps the classification of requests up to date. */

import type { AccessAttributes, ApiObject, JsonValue, UserInfo } from '../../contract/index.js';
import { textOf } from '../../objects/guards.js';
import { memoizeByObject } from '../../objects/memoize.js';
import { partOf } from '../../request/object-access.js';
import type { PipelineServices } from '../../request/verb-request.js';
import type { FlowCounts, FlowObserver } from './flow-observer.js';
import { listOf, objectOf, readLevel } from './level-spec.js';
import type { Levels } from './levels.js';
import type { PriorityLevel } from './priority-level.js';

/** The uids of a request's flow schema and priority level. */
export interface Flow {
  readonly flowSchema: string;
  readonly priorityLevel: string;
}

/** The flow schema and the priority level of requests. */
export interface FlowTarget extends Flow {
  readonly schema: FlowSchema;
  readonly level: PriorityLevel;
  readonly counts: FlowCounts;
}

/** Returns the target of a request; `undefined` if no schema matches. */
export type TargetOf = (attributes: AccessAttributes) => FlowTarget | undefined;

/**
 * Follows the objects of a server into `levels`. `group` is their served group. A new list keeps existing levels and
 * their requests.
 */
export function followFlowControl(
  { follow, resource: find }: Pick<PipelineServices, 'follow' | 'resource'>,
  group: string,
  levels: Levels,
  observer: FlowObserver,
): TargetOf {
  const schemas = new Map<string, FlowSchema>();
  const unseen = new Set<string>();
  let targetOf: TargetOf | undefined;
  const changed = (): void => {
    targetOf = undefined;
  };
  const sinks = {
    flowschemas: {
      changed(object: ApiObject) {
        const schema = readFlowSchema(object);
        schemas.set(schema.name, schema);
        changed();
      },
      removed(_: string, name: string) {
        schemas.delete(name);
        changed();
      },
    },
    prioritylevelconfigurations: {
      changed(object: ApiObject) {
        const level = readLevel(object);
        unseen.delete(level.name);
        levels.use(level);
        changed();
      },
      removed(_: string, name: string) {
        unseen.delete(name);
        levels.remove(name);
        changed();
      },
    },
  };
  const resources = Object.entries(sinks).flatMap(([plural, sink]) => {
    const resource = find(group, plural);
    return resource ? [{ resource, sink }] : [];
  });
  follow('flow control', {
    parts: resources.map(({ resource, sink }) => partOf(resource, sink)),
    reset() {
      schemas.clear();
      for (const { spec } of levels.all) unseen.add(spec.name);
      changed();
    },
    complete() {
      for (const name of unseen) levels.remove(name);
      unseen.clear();
      changed();
    },
  });
  /** Skips schemas without an existing priority level. */
  const targets = () =>
    [...schemas.values()].flatMap((schema) => {
      const level = levels.find(schema.priorityLevel);
      if (!level) return [];
      const counts = observer.counts(schema.name, level.spec.name);
      return [{ schema, target: { flowSchema: schema.uid, priorityLevel: level.spec.uid, schema, level, counts } }];
    });
  return (attributes) => {
    targetOf ??= classifier(targets());
    return targetOf(attributes);
  };
}

/** A flow schema with the target of its requests. */
interface SchemaWith<Target> {
  readonly schema: FlowSchema;
  readonly target: Target;
}

/** The rules of a schema that apply to one user. */
interface Candidate<Target> {
  readonly requests: Rule['requests'];
  readonly target: Target;
}

/**
 * Returns the function that finds the target of a request: from the matching schema with the lowest precedence. Looks
 * up the subjects that match a user once per user object.
 */
function classifier<Target>(
  schemas: readonly SchemaWith<Target>[],
): (attributes: AccessAttributes) => Target | undefined {
  const inOrder = [...schemas].sort((a, b) => byPrecedence(a.schema, b.schema));
  const candidatesOf = memoizeByObject((user: UserInfo): readonly Candidate<Target>[] =>
    inOrder.flatMap(({ schema, target }) => {
      const rules = schema.rules.filter(({ subjects }) => subjects.some((matches) => matches(user)));
      return rules.length === 0 ? [] : [{ requests: rules.flatMap(({ requests }) => requests), target }];
    }),
  );
  return (attributes) => {
    for (const { requests, target } of candidatesOf(attributes.user)) {
      for (const matches of requests) if (matches(attributes)) return target;
    }
    return undefined;
  };
}

/** A parsed flow schema. */
interface FlowSchema {
  readonly name: string;
  readonly uid: string;
  readonly precedence: number;
  readonly priorityLevel: string;
  /** Returns the flow of a request. If this is always empty, all requests are one flow. */
  readonly flowOf: (attributes: AccessAttributes) => string;
  readonly rules: readonly Rule[];
}

/** A rule: matches any of the subjects with any of the requests. */
interface Rule {
  readonly subjects: readonly ((user: UserInfo) => boolean)[];
  readonly requests: readonly ((attributes: AccessAttributes) => boolean)[];
}

function readFlowSchema({ metadata, spec }: ApiObject): FlowSchema {
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

/** Sorts by the lowest number, then by name. */
const byPrecedence = (a: FlowSchema, b: FlowSchema): number =>
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

/** Returns a check whether a text is in a list or the list contains `*`. */
function among(value: JsonValue | undefined): (text: string) => boolean {
  const texts = new Set(listOf(value).map(textOf));
  return texts.has(anything) ? () => true : (text) => texts.has(text);
}
