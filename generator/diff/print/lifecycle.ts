/** Prints a calendar and its findings: for people as a table, for programs as JSON. */
import type { Pace, VersionLife } from '../life-calendar.js';
import type { LifeFinding } from '../life-findings.js';

export interface Lifecycle {
  readonly pace: Pace;
  readonly versions: readonly VersionLife[];
  readonly findings: readonly LifeFinding[];
}

const head = ['VERSION', 'RESOURCE', 'LEVEL', 'INTRODUCED', 'DEPRECATED', 'REMOVED', 'MAY BE REMOVED', ''];

/** Prints the lines of the table. Leaves out removed versions unless `all` is true. */
export function calendarLines({ versions, pace }: Lifecycle, all: boolean): readonly string[] {
  const shown = versions.filter(({ removal }) => all || removal.may !== 'gone');
  const rows = [head, ...shown.map((life) => rowOf(life, pace))];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function rowOf(life: VersionLife, pace: Pace): readonly string[] {
  const { group, version, resource, level, introduced, deprecated, removed, replacement } = life;
  return [
    group === '' ? version : `${group}/${version}`,
    resource,
    level,
    introduced ?? '-',
    deprecated === undefined ? '-' : `${deprecated}${replacement === undefined ? '' : ` for ${replacement}`}`,
    removed ?? '-',
    removalText(life, pace),
    [life.stored ? 'stored' : '', life.preferred ? 'preferred' : ''].filter(Boolean).join(', '),
  ];
}

function removalText({ removal }: VersionLife, { release }: Pace): string {
  switch (removal.may) {
    case 'never':
      return `not within ${release.split('.')[0]}.x (4a)`;
    case 'any':
      return 'in any release (4a)';
    case 'from':
      return `from ${removal.release}${about(removal.month)} (4a)`;
    case 'once deprecated':
      return removal.by === undefined
        ? 'once deprecated (4a)'
        : `once deprecated, by ${removal.by}${about(removal.month)} (4a)`;
    case 'to come':
      return `comes in ${removal.since}`;
    case 'gone':
      return 'gone';
  }
}

const about = (month: string | undefined): string => (month === undefined ? '' : `, about ${month}`);

/** Prints two lines per finding: its place, rule and message, and the advice. */
export const findingLines = ({ findings }: Lifecycle): readonly string[] =>
  findings.flatMap(({ place: { file, line, column }, rule, severity, resource, message, advice }) => [
    `${file}:${line}:${column} ${severity}: ${resource}: ${message} (rule ${rule})`,
    `    ${advice}`,
  ]);

/** Prints everything as one JSON document, with places as `file`, `line` and `column`. */
export function lifecycleJson({ pace, versions, findings }: Lifecycle): string {
  const found = findings.map(({ place: { file, line, column }, ...finding }) => ({ ...finding, file, line, column }));
  const { release, date, perYear: releasesPerYear } = pace;
  return JSON.stringify({ release, date, releasesPerYear, versions, findings: found }, undefined, 2);
}
