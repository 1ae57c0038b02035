/** Prints the differences between releases: for people as lists and a table, for programs as JSON. */
import type { Naming } from '../../runtime/objects/names/naming.js';
import type { Gate } from '../../runtime/server/index.js';
import type { GateChange, KindChange, KindFieldChange, ReleaseChanges } from './compare-releases.js';

const marks = { comes: '+', goes: '-', changes: '~' } as const;

/** Prints a list for each part with changes. Groups have their served names. */
export function changeLines(
  { kinds, fields, gates, behaviours }: ReleaseChanges,
  rename: Naming['rename'],
): readonly string[] {
  return [
    ...list(
      'KINDS',
      kinds.map((change) => kindLine(change, rename)),
    ),
    ...list(
      'FIELDS',
      fields.map((change) => fieldLine(change, rename)),
    ),
    ...list('GATES', gates.map(gateLine)),
    ...list(
      'BEHAVIOURS',
      behaviours.map(({ change, name, about }) => `${marks[change]} ${name}: ${about}`),
    ),
  ];
}

const list = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`${title} (${lines.length})`, ...lines.map((line) => `  ${line}`)];

function kindLine({ change, resource, notes, gate, ...place }: KindChange, rename: Naming['rename']): string {
  const all = [...notes, ...gateNotes(gate)];
  const more = all.length === 0 ? '' : `: ${all.join(', ')}`;
  return `${marks[change]} ${apiVersionOf(place, rename)} ${place.kind} (${resource})${more}`;
}

function fieldLine({ change, path, gate, before, after, ...place }: KindFieldChange, rename: Naming['rename']): string {
  const words = Object.keys({ ...before, ...after }).map(
    (word) => `${word} ${valueText(before?.[word])} -> ${valueText(after?.[word])}`,
  );
  const all = [...words, ...gateNotes(gate)];
  const more = all.length === 0 ? '' : `: ${all.join(', ')}`;
  return `${marks[change]} ${apiVersionOf(place, rename)} ${place.kind} ${path === '' ? '.' : path}${more}`;
}

const gateNotes = (gate: string | undefined): readonly string[] => (gate === undefined ? [] : [`gate ${gate}`]);

const apiVersionOf = (
  { group, version }: { readonly group: string; readonly version: string },
  rename: Naming['rename'],
) => (group === '' ? version : `${rename(group)}/${version}`);

const valueText = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));

function gateLine({ gate, before, after }: GateChange): string {
  if (before === undefined) return `+ ${gate}: ${after === undefined ? '' : gateText(after)}`;
  return after === undefined
    ? `- ${gate}: ${gateText(before)}`
    : `~ ${gate}: ${gateText(before)} -> ${gateText(after)}`;
}

const gateText = ({ stage, byDefault, locked }: Gate): string =>
  `${stage === 'ga' ? 'GA' : stage}, ${byDefault ? 'on' : 'off'}${locked ? ', locked' : ''}`;

/** The numbers of changes in a release. */
export interface ReleaseCounts {
  readonly release: string;
  readonly kinds: { readonly come: number; readonly go: number };
  readonly fields: { readonly come: number; readonly go: number };
  readonly gates: { readonly come: number; readonly change: number; readonly go: number };
  readonly behaviours: number;
}

/** Counts the changes in a release. A kind counts once for each version and subresource. */
export function countsOf(release: string, { kinds, fields, gates, behaviours }: ReleaseChanges): ReleaseCounts {
  const count = (changes: readonly { readonly change: string }[], wanted: string): number =>
    changes.filter(({ change }) => change === wanted).length;
  const come = gates.filter(({ before }) => before === undefined).length;
  const go = gates.filter(({ after }) => after === undefined).length;
  return {
    release,
    kinds: { come: count(kinds, 'comes'), go: count(kinds, 'goes') },
    fields: { come: count(fields, 'comes'), go: count(fields, 'goes') },
    gates: { come, change: gates.length - come - go, go },
    behaviours: behaviours.length,
  };
}

const head = ['RELEASE', 'KINDS', 'FIELDS', 'GATES', 'BEHAVIOURS'];

/** Prints a table with a row for each release. */
export function countLines(counts: readonly ReleaseCounts[]): readonly string[] {
  const rows = [
    head,
    ...counts.map(({ release, kinds, fields, gates, behaviours }) => [
      release,
      `+${kinds.come} -${kinds.go}`,
      `+${fields.come} -${fields.go}`,
      `+${gates.come} ~${gates.change} -${gates.go}`,
      `${behaviours}`,
    ]),
  ];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
