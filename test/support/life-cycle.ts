/** The rules by which flags, gates and metrics may be deprecated and removed (deprecation rules 5 to 9 of the API). */

/** A flag, gate or metric, and its stages. */
export interface Element {
  readonly kind: 'flag' | 'gate' | 'metric';
  readonly name: string;
  readonly stability: 'alpha' | 'beta' | 'stable';
  readonly since: string;
  readonly deprecated?: string;
  /** The release that no longer has it. */
  readonly removed?: string;
}

/** A release, the oldest first, and its day, as in `2026-11-25`. */
export interface Release {
  readonly name: string;
  readonly day: string;
}

/** Both have to pass: the longer counts. */
interface Span {
  readonly months: number;
  readonly releases: number;
}

const none: Span = { months: 0, releases: 0 };

/** How long each keeps working after its deprecation. Flags are for administrators. */
const afterDeprecation: Readonly<Record<Element['kind'], Readonly<Record<Element['stability'], Span>>>> = {
  flag: { stable: { months: 6, releases: 1 }, beta: { months: 3, releases: 1 }, alpha: none },
  gate: { stable: { months: 6, releases: 2 }, beta: { months: 3, releases: 1 }, alpha: none },
  metric: { stable: { months: 9, releases: 3 }, beta: { months: 4, releases: 1 }, alpha: none },
};

/** How long a metric is there at least before it is deprecated. */
const beforeDeprecation: Readonly<Record<Element['stability'], Span>> = {
  stable: { months: 12, releases: 4 },
  beta: { months: 8, releases: 2 },
  alpha: none,
};

/** Lists the breaches of the rules, a sentence for each. */
export function lifeCycleFaults(elements: readonly Element[], releases: readonly Release[]): readonly string[] {
  return elements.flatMap((element) => {
    const { kind, name, stability, since, deprecated, removed } = element;
    const lasts = (what: string, from: string, to: string, span: Span): readonly string[] =>
      isOver(span, from, to, releases) ? [] : [`${kind} ${name} (${stability}): ${what} ${from} and ${to}`];
    if (removed !== undefined && deprecated === undefined && stability !== 'alpha') {
      return [`${kind} ${name} (${stability}): removed in ${removed}, and never deprecated`];
    }
    return [
      ...(kind === 'metric' && deprecated !== undefined
        ? lasts(
            'too little time between its first release and its deprecation:',
            since,
            deprecated,
            beforeDeprecation[stability],
          )
        : []),
      ...(deprecated !== undefined && removed !== undefined
        ? lasts(
            'too little time between its deprecation and its removal:',
            deprecated,
            removed,
            afterDeprecation[kind][stability],
          )
        : []),
    ];
  });
}

function isOver({ months, releases: count }: Span, from: string, to: string, releases: readonly Release[]): boolean {
  const [first, last] = [from, to].map((name) => releases.findIndex((release) => release.name === name));
  if (first === undefined || last === undefined || first < 0 || last < 0) return false;
  const earliest = new Date(releases[first]?.day ?? '');
  earliest.setUTCMonth(earliest.getUTCMonth() + months);
  return last - first >= count && new Date(releases[last]?.day ?? '') >= earliest;
}
