/** The history of an object in order of time: its creation and deletion, its conditions, and events about it. */
import type { DynamicObject } from 'kindforge/client';
import { isMembers } from './paths.js';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain';

export interface TimelineEntry {
  readonly id: string;
  /** As in `2026-01-31T12:00:00Z`; empty if unknown. */
  readonly time: string;
  readonly source: 'object' | 'condition' | 'event';
  readonly title: string;
  readonly text: string;
  readonly tone: Tone;
  /** The number of times. */
  readonly count: number;
}

/** Returns the entries, the newest first. Entries without a time come last. */
export function timelineOf(object: DynamicObject, events: readonly DynamicObject[] = []): readonly TimelineEntry[] {
  // Within the same second, the creation came first.
  const entries = [...events.map(fromEvent), ...conditionsOf(object).map(fromCondition), ...lifeOf(object)];
  const at = (entry: TimelineEntry): number => Date.parse(entry.time) || Number.NEGATIVE_INFINITY;
  return entries.sort((one, other) => (at(other) === at(one) ? 0 : at(other) - at(one)));
}

/** A condition of a status. */
export interface ShownCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly time: string;
  readonly tone: Tone;
}

/** Returns the well-formed conditions of an object. */
export function conditionsOf({ status }: DynamicObject): readonly ShownCondition[] {
  const conditions = isMembers(status) ? status.conditions : undefined;
  if (!Array.isArray(conditions)) return [];
  return conditions.filter(isMembers).flatMap((condition) => {
    const [type, state] = [textOf(condition.type), textOf(condition.status) || 'True'];
    if (type === '') return [];
    const time = textOf(condition.lastTransitionTime) || textOf(condition.lastUpdateTime);
    const shown = { type, status: state, reason: textOf(condition.reason), message: textOf(condition.message), time };
    return [{ ...shown, tone: toneOf(type, state) }];
  });
}

/** Conditions that are a problem when they are true. */
const badNews = /Pressure|Failed|Failure|Denied|Degraded|Unavailable|Stalled|NonStructural|Conflict|Dangling|Error/;

function toneOf(type: string, status: string): Tone {
  if (status === 'Unknown') return 'warn';
  if (badNews.test(type)) return status === 'True' ? 'bad' : 'plain';
  return status === 'True' ? 'good' : 'warn';
}

/** Returns the badges for the head of a page: the phase, a deletion, and the conditions. */
export function badgesOf(
  object: DynamicObject,
): readonly { readonly text: string; readonly tone: Tone; readonly title: string }[] {
  const { deletionTimestamp } = object.metadata;
  const phase = isMembers(object.status) ? textOf(object.status.phase) : '';
  const ready = conditionsOf(object).filter(({ type, tone }) => mainConditions.includes(type) || tone === 'bad');
  return [
    ...(deletionTimestamp === undefined
      ? []
      : [{ text: 'Being deleted', tone: 'warn' as const, title: deletionTimestamp }]),
    ...(phase === '' ? [] : [{ text: phase, tone: phaseTones[phase] ?? ('info' as const), title: 'status.phase' }]),
    ...ready.slice(0, 3).map(({ type, status, tone, reason, message }) => ({
      text: status === 'True' ? type : `${type}: ${status}`,
      tone,
      title: [reason, message].filter(Boolean).join(': '),
    })),
  ];
}

const mainConditions = ['Ready', 'Available', 'Established', 'Approved', 'Complete', 'Synced', 'Healthy'];

const phaseTones: Readonly<Record<string, Tone>> = {
  Active: 'good',
  Bound: 'good',
  Running: 'good',
  Succeeded: 'good',
  Ready: 'good',
  Pending: 'warn',
  Terminating: 'warn',
  Failed: 'bad',
  Lost: 'bad',
};

function lifeOf({ metadata }: DynamicObject): TimelineEntry[] {
  const { creationTimestamp, deletionTimestamp, finalizers = [] } = metadata;
  const entry = { source: 'object' as const, count: 1 };
  return [
    ...(deletionTimestamp === undefined
      ? []
      : [
          {
            ...entry,
            id: 'deleted',
            time: deletionTimestamp,
            title: 'Deletion requested',
            text: finalizers.length > 0 ? `Waits for ${finalizers.join(', ')}` : '',
            tone: 'warn' as const,
          },
        ]),
    ...(creationTimestamp === undefined
      ? []
      : [{ ...entry, id: 'created', time: creationTimestamp, title: 'Created', text: '', tone: 'info' as const }]),
  ];
}

const fromCondition = (
  { type, status, reason, message, time, tone }: ShownCondition,
  index: number,
): TimelineEntry => ({
  id: `condition-${index}-${type}`,
  time,
  source: 'condition',
  title: `${type} is ${status}${reason === '' ? '' : ` (${reason})`}`,
  text: message,
  tone,
  count: 1,
});

/** Reads an event of either API: `events.k8s.io` and core name their fields differently. */
function fromEvent(event: DynamicObject): TimelineEntry {
  const series = isMembers(event.series) ? event.series : {};
  const times = [
    series.lastObservedTime,
    event.lastTimestamp,
    event.deprecatedLastTimestamp,
    event.eventTime,
    event.metadata.creationTimestamp,
  ];
  const counts = [series.count, event.count, event.deprecatedCount].map(Number).filter((count) => count > 0);
  return {
    id: `event-${event.metadata.uid ?? event.metadata.name}`,
    time: times.map(textOf).find((time) => time !== '') ?? '',
    source: 'event',
    title: textOf(event.reason) || 'Event',
    text: textOf(event.message) || textOf(event.note),
    tone: event.type === 'Warning' ? 'warn' : 'plain',
    count: counts[0] ?? 1,
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
