/** Finds every user and group that roles allow to do something. */
import { tableLines } from '../text/table-lines.js';
import { reachOf } from './holds.js';
import type { AccessPolicy, Given } from './policy.js';
import type { Question } from './question.js';
import {
  masters,
  type NamedSubject,
  type Place,
  placeOfBinding,
  placeOfRole,
  placeText,
  subjectText,
  toNamed,
} from './subjects.js';

/** A subject that may do what is asked, and why. */
export interface Holder extends NamedSubject {
  /** Absent for administrators, who need no role. */
  readonly binding?: Place;
  readonly role?: Place;
  /** The only names that it may do this to; absent where it is all. */
  readonly resourceNames?: readonly string[];
}

export interface WhoCan {
  readonly question: Question;
  /** May do all that is asked for. */
  readonly subjects: readonly Holder[];
  /** May do it to some objects only, by their names. */
  readonly limited: readonly Holder[];
  readonly remarks: readonly string[];
}

/** With `everywhere`, rights in single namespaces count too. */
export function whoCan(policy: AccessPolicy, question: Question, everywhere: boolean): WhoCan {
  const given = policy.given(everywhere ? undefined : 'path' in question ? '' : question.namespace);
  const holders = given.flatMap((one) => holdersOf(one, question));
  return {
    question,
    subjects: [masters, ...holders.filter(({ resourceNames }) => resourceNames === undefined)],
    limited: holders.filter(({ resourceNames }) => resourceNames !== undefined),
    remarks: given.flatMap(({ binding, role }) =>
      role
        ? []
        : [`${placeText(placeOfBinding(binding))} gives ${placeText(placeOfRole(binding.role))}, which does not exist`],
    ),
  };
}

function holdersOf({ binding, role }: Given, question: Question): readonly Holder[] {
  // Bindings of namespaces give no rights to paths, nor to resources of the cluster.
  if (!role || ('path' in question && binding.namespace !== '')) return [];
  const reach = reachOf(role.rules, question);
  if (!reach) return [];
  return binding.subjects.map((subject) => ({
    ...toNamed(subject),
    binding: placeOfBinding(binding),
    role: placeOfRole(binding.role),
    ...(reach.of === 'some' ? { resourceNames: reach.names } : {}),
  }));
}

/** The answer as lines of text. */
export function* whoCanLines({ subjects, limited }: WhoCan): Generator<string> {
  yield* tableLines(
    ['SUBJECT', 'GRANTED BY', 'ROLE'],
    subjects.map((holder) => [subjectText(holder), ...grantCells(holder)]),
  );
  if (limited.length === 0) return;
  yield '';
  yield 'only for some names:';
  yield* tableLines(
    ['SUBJECT', 'NAMES', 'GRANTED BY', 'ROLE'],
    limited.map((holder) => [subjectText(holder), (holder.resourceNames ?? []).join(','), ...grantCells(holder)]),
  );
}

const grantCells = ({ binding, role }: Holder): readonly string[] =>
  binding && role ? [placeText(binding), placeText(role)] : ['the server itself, always', '-'];
