/** The JSON report of `kindforge diff`. */
import { listAt, textAt, textsAt, valueAt } from './json.js';

/** The judgement of a difference, the worst first. */
export const outcomes = ['break', 'undecided', 'warning', 'allowed', 'safe'] as const;
export type Outcome = (typeof outcomes)[number];

/** An object that shows a difference, and the effect on it. */
export interface ShownBy {
  readonly object: string;
  /** The stored object before an update; empty for a creation. */
  readonly before: string;
  readonly old: string;
  readonly new: string;
}

export interface DiffFinding {
  readonly outcome: Outcome;
  readonly resource: string;
  readonly version: string;
  readonly path: string;
  readonly message: string;
  readonly advice: string;
  /** The people or programs that the finding affects. */
  readonly effects: readonly string[];
  readonly shownBy: readonly ShownBy[];
  /** The line in the new definition, from 1; `undefined` if the difference has no line there. */
  readonly line?: number | undefined;
}

export interface DiffReport {
  readonly findings: readonly DiffFinding[];
  /** The number of resources that differ. */
  readonly changed: number;
}

/** Reads a report. Leaves out findings of unknown kinds. */
export function readReport(value: unknown): DiffReport {
  const changed = valueAt(value, 'changed');
  return {
    findings: listAt(value, 'findings').flatMap(readFinding),
    changed: typeof changed === 'number' ? changed : 0,
  };
}

function readFinding(finding: unknown): readonly DiffFinding[] {
  const outcome = outcomes.find((one) => one === textAt(finding, 'outcome'));
  if (outcome === undefined) return [];
  const line = valueAt(valueAt(finding, 'new'), 'line');
  return [
    {
      outcome,
      resource: textAt(finding, 'resource'),
      version: textAt(finding, 'version'),
      path: textAt(finding, 'path'),
      message: textAt(finding, 'message'),
      advice: textAt(finding, 'advice'),
      effects: textsAt(finding, 'effects').map((effect) => parties[effect] ?? effect),
      shownBy: listAt(finding, 'witnesses').map(readWitness),
      line: typeof line === 'number' ? line : undefined,
    },
  ];
}

const parties: Readonly<Record<string, string>> = {
  writers: 'clients that write',
  readers: 'clients that read',
  stored: 'stored objects',
  ownership: 'field ownership',
  wire: 'the wire',
};

function readWitness(witness: unknown): ShownBy {
  const [object, before, owned] = ['object', 'before', 'owned'].map((field) => valueAt(witness, field));
  const answer = (side: 'old' | 'new'): string =>
    owned === undefined
      ? answerWords(valueAt(witness, side), object)
      : `its manager owns ${textsAt(owned, side).join(', ') || 'nothing'}`;
  return {
    object: JSON.stringify(object),
    before: before === undefined ? '' : JSON.stringify(before),
    old: answer('old'),
    new: answer('new'),
  };
}

/** Describes what a definition does to an object. */
function answerWords(answer: unknown, object: unknown): string {
  if (valueAt(answer, 'accepted') !== true) return `refused: ${textsAt(answer, 'causes').join('; ')}`;
  const stored = JSON.stringify(valueAt(answer, 'object'));
  return stored === JSON.stringify(object) ? 'accepted as it is' : `accepted as ${stored}`;
}

/** Summarizes a report in a sentence, for the decision to publish. */
export function summaryOf({ findings }: DiffReport): string {
  const count = (outcome: Outcome): number => findings.filter((finding) => finding.outcome === outcome).length;
  const breaks = count('break');
  if (findings.length === 0) return 'Nothing differs for clients or stored objects.';
  if (breaks > 0) return `${breaks} ${breaks === 1 ? 'change breaks' : 'changes break'} clients or stored objects.`;
  const open = count('undecided') + count('warning');
  return open === 0 ? 'All changes are safe.' : `Nothing is known to break; look at ${open} of the changes.`;
}
