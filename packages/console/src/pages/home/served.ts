/** Counts the objects, watches and requests of a server, for the home page. */
import type { ServedKind } from 'kindforge/client';
import { navigationOf, ownKinds } from '../../data/navigation.js';
import type { Sample, Samples } from '../../metrics/parse.js';
import { sumsOf } from '../../metrics/readings.js';

/** A kind and the number of its objects; `undefined` if the server does not report it. */
export interface ServedCount {
  readonly kind: ServedKind;
  readonly count: number | undefined;
}

/** Returns the kinds with objects, the largest first. All kinds of the user come before them. */
export function servedCounts(
  kinds: readonly ServedKind[],
  samples: readonly Sample[] | undefined,
): readonly ServedCount[] {
  const counts = new Map((samples ?? []).map(({ labels, value }) => [labels.resource ?? '', value]));
  const countOf = ({ plural, group }: ServedKind): number | undefined =>
    samples && (counts.get(group === '' ? plural : `${plural}.${group}`) ?? 0);
  const own = ownKinds(kinds);
  const others = navigationOf(kinds).flatMap((group) => group.kinds.filter((kind) => !own.includes(kind)));
  const counted = (kind: ServedKind): ServedCount => ({ kind, count: countOf(kind) });
  return [
    ...own.map(counted),
    ...others
      .map(counted)
      .filter(({ count }) => count !== 0)
      .toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0)),
  ];
}

/** The watches of a kind. */
export interface WatchRow {
  readonly group: string;
  readonly resource: string;
  /** The kind, if the server serves it to the user. */
  readonly kind: ServedKind | undefined;
  readonly open: number;
  /** Events that the server has sent since its start; `undefined` if it does not report them. */
  readonly events: number | undefined;
}

/** Returns the kinds with open watches, the most watched first. */
export function watchRows(kinds: readonly ServedKind[], samples: Samples): readonly WatchRow[] {
  const open = sumsOf(samples, 'apiserver_longrunning_requests', ({ labels }) =>
    labels.verb === 'WATCH' ? `${labels.group ?? ''}/${labels.resource ?? ''}` : undefined,
  );
  const events = sumsOf(samples, 'apiserver_watch_events_total', ({ labels }) => `${labels.group}/${labels.kind}`);
  return [...(open ?? [])]
    .filter(([, count]) => count > 0)
    .map(([key, count]): WatchRow => {
      const [group = '', resource = ''] = key.split('/');
      const named = kinds.filter((kind) => kind.group === group && kind.plural === resource);
      const kind = named.find(({ isPreferred }) => isPreferred) ?? named[0];
      return { group, resource, kind, open: count, events: kind && events?.get(`${group}/${kind.kind}`) };
    })
    .toSorted((a, b) => b.open - a.open || a.resource.localeCompare(b.resource));
}

/** A level of flow control in the metrics. */
export interface FlowLevel {
  readonly name: string;
  readonly executing: number;
  readonly queued: number;
  readonly rejected: number;
  readonly limit: number;
}

/** Returns the levels in the metrics. */
export function flowLevels(samples: Samples): readonly FlowLevel[] {
  const sum = (metric: string, level: string): number =>
    (samples.get(`apiserver_flowcontrol_${metric}`) ?? [])
      .filter(({ labels }) => labels.priority_level === level)
      .reduce((total, { value }) => total + value, 0);
  const names = new Set(
    (samples.get('apiserver_flowcontrol_nominal_limit_seats') ?? []).map(({ labels }) => labels.priority_level ?? ''),
  );
  return [...names]
    .filter((name) => name !== '')
    .sort()
    .map((name) => ({
      name,
      executing: sum('current_executing_requests', name),
      queued: sum('current_inqueue_requests', name),
      rejected: sum('rejected_requests_total', name),
      limit: sum('nominal_limit_seats', name),
    }));
}
