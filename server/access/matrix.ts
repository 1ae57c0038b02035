/** Lays out what each subject may do to each resource in a namespace. */
import type { DiscoveredResource } from '../../client/index.js';
import { type PolicyRule, RuleTable } from '../../plugins/authorization/rbac/rule-table.js';
import { tableLines } from '../text/object-size.js';
import { type AccessPolicy, masters, type NamedSubject, subjectText, toNamed } from './policy.js';
import { resourceName } from './question.js';

/** The verbs of a matrix by default. */
export const usualVerbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** A resource with the name of its rows, as in `deployments.apps` or `pods/log`. */
export interface MatrixResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Whether rights in a namespace count for it. */
  readonly namespaced: boolean;
}

export interface MatrixQuestion {
  readonly namespace: string;
  readonly verbs: readonly string[];
  readonly resources: readonly MatrixResource[];
  /** Whether subjects of the system are included. */
  readonly system: boolean;
}

/** The verbs of a subject on a resource. The verbs in `limited` are for some names only. */
export interface MatrixCell extends MatrixResource {
  readonly verbs: readonly string[];
  readonly limited: readonly string[];
}

export interface MatrixSubject extends NamedSubject {
  /** Leaves out resources that it has no right to. */
  readonly resources: readonly MatrixCell[];
}

export interface Matrix extends MatrixQuestion {
  readonly subjects: readonly MatrixSubject[];
  readonly remarks: readonly string[];
}

/** Returns the resources that a matrix has by default. */
export const matrixResources = (resources: readonly DiscoveredResource[]): readonly MatrixResource[] =>
  resources.map(({ group, plural, scope }) => ({
    group,
    resource: plural,
    subresource: '',
    namespaced: scope === 'Namespaced',
  }));

/** Lists what each subject may do. Lists the rights of a group with the group, not with its members. */
export function matrixOf(policy: AccessPolicy, question: MatrixQuestion): Matrix {
  const held = rulesBySubject(policy, question.namespace);
  const subjects = [...held.values()].map(({ subject, rules, clusterRules }) => ({
    ...subject,
    resources: cellsOf(rules, clusterRules, question),
  }));
  const all = [
    { ...masters, resources: question.resources.map((one) => ({ ...one, verbs: question.verbs, limited: [] })) },
  ];
  const known = [...all, ...subjects.filter(({ name, kind }) => kind !== 'Group' || name !== masters.name)];
  const told = known.filter((subject) => (question.system || !isOfSystem(subject)) && subject.resources.length > 0);
  const left = known.filter((subject) => !question.system && isOfSystem(subject)).length;
  return { ...question, subjects: told.sort(bySubject), remarks: leftOut(left) };
}

function leftOut(count: number): readonly string[] {
  if (count === 0) return [];
  const many = count === 1 ? 'subject of the system is' : 'subjects of the system are';
  return [`${count} ${many} left out; --system shows ${count === 1 ? 'it' : 'them'}`];
}

const isOfSystem = ({ name, namespace = '' }: NamedSubject): boolean =>
  name.startsWith('system:') || /^(kube|platform)-system$/.test(namespace);

interface Held {
  readonly subject: NamedSubject;
  readonly rules: PolicyRule[];
  /** The rules that hold in the whole cluster. */
  readonly clusterRules: PolicyRule[];
}

function rulesBySubject(policy: AccessPolicy, namespace: string): ReadonlyMap<string, Held> {
  const held = new Map<string, Held>();
  for (const { binding, role } of policy.given(namespace)) {
    for (const subject of binding.subjects) {
      const key = `${subject.of}/${subject.name}`;
      const known = held.get(key) ?? { subject: toNamed(subject), rules: [], clusterRules: [] };
      known.rules.push(...(role?.rules ?? []));
      if (binding.namespace === '') known.clusterRules.push(...(role?.rules ?? []));
      held.set(key, known);
    }
  }
  return held;
}

function cellsOf(
  rules: readonly PolicyRule[],
  clusterRules: readonly PolicyRule[],
  { verbs, resources, namespace }: MatrixQuestion,
): readonly MatrixCell[] {
  const [here, everywhere] = [tablesOf(rules), tablesOf(clusterRules)];
  return resources.flatMap((resource) => {
    const { whole, some } = resource.namespaced ? here : everywhere;
    const asked = { namespace, ...resource };
    const held = verbs.filter((verb) => whole.ofResource({ verb, ...asked }));
    const limited = verbs.filter(
      (verb) =>
        !held.includes(verb) &&
        (verb !== 'create' || resource.subresource !== '') &&
        some.ofResource({ verb, ...asked }),
    );
    return held.length + limited.length === 0 ? [] : [{ ...resource, verbs: held, limited }];
  });
}

/**
 * Returns two tables: one for rules without names, and one that reads rules with names as if they were for all names.
 */
function tablesOf(rules: readonly PolicyRule[]): { readonly whole: RuleTable<true>; readonly some: RuleTable<true> } {
  const [whole, some] = [new RuleTable<true>(), new RuleTable<true>()];
  for (const rule of rules) {
    whole.add(rule, true);
    if (rule.resourceNames.length > 0) some.add({ ...rule, resourceNames: [] }, true);
  }
  return { whole, some };
}

const bySubject = (a: MatrixSubject, b: MatrixSubject): number => {
  const [one, other] = [subjectText(a), subjectText(b)];
  return one < other ? -1 : one > other ? 1 : 0;
};

/** Prints a line for each subject and each set of resources that it has the same rights to. */
export function* matrixLines({ subjects, verbs, resources }: Matrix): Generator<string> {
  const rows = subjects.flatMap((subject) => {
    const merged = new Map<string, MatrixCell[]>();
    for (const cell of subject.resources) {
      const key = `${cell.verbs.join()} ${cell.limited.join()}`;
      merged.set(key, [...(merged.get(key) ?? []), cell]);
    }
    return [...merged.values()].map((cells) => [
      subjectText(subject),
      ...verbs.map((verb) => {
        if (cells[0]?.verbs.includes(verb)) return 'yes';
        return cells[0]?.limited.includes(verb) ? 'some' : '-';
      }),
      cells.length === resources.length && resources.length > 1 ? '*' : cells.map(cellName).join(','),
    ]);
  });
  yield* tableLines(['SUBJECT', ...verbs.map((verb) => verb.toUpperCase()), 'RESOURCES'], rows);
}

const cellName = (cell: MatrixResource): string =>
  cell.subresource === '' ? resourceName(cell) : `${resourceName(cell)}/${cell.subresource}`;
