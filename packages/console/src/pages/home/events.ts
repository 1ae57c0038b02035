/** Reads events for people. */
import type { DynamicObject } from 'kindforge/client';

export interface SeenEvent {
  readonly id: string;
  readonly reason: string;
  readonly message: string;
  readonly isWarning: boolean;
  /** The time of its last occurrence. */
  readonly time: string;
  readonly about: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
  };
}

const most = 30;

/** Returns the newest events, the latest first. */
export const newestEvents = (objects: readonly DynamicObject[]): readonly SeenEvent[] =>
  objects
    .map(readEvent)
    .toSorted((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0))
    .slice(0, most);

export function readEvent(object: DynamicObject): SeenEvent {
  const { metadata } = object;
  const time = [textAt(object, 'lastTimestamp'), textAt(object, 'eventTime'), String(metadata.creationTimestamp ?? '')];
  const about = object.involvedObject ?? object.regarding;
  return {
    id: metadata.uid ?? `${metadata.namespace}/${metadata.name}`,
    reason: textAt(object, 'reason'),
    message: textAt(object, 'message') || textAt(object, 'note'),
    isWarning: textAt(object, 'type') === 'Warning',
    time: time.find((one) => one !== '') ?? '',
    about: {
      apiVersion: textAt(about, 'apiVersion'),
      kind: textAt(about, 'kind'),
      namespace: textAt(about, 'namespace'),
      name: textAt(about, 'name'),
    },
  };
}

function textAt(value: unknown, key: string): string {
  if (typeof value !== 'object' || value === null) return '';
  const found: unknown = Reflect.get(value, key);
  return typeof found === 'string' ? found : '';
}
