/** Finds where the nodes of a YAML text begin. */
import { EVENT_ID, type Event, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';

/** Where a scalar begins, its quote included; for a block, where its first line does. -1 for one that is not written. */
export function startOfScalar(event: ScalarEvent): number {
  const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  return quoted ? event.valueStart - 1 : event.valueStart;
}

/** Where a value begins: a block at its `|` or `>`. -1 for one that is not written. */
export function startOfValue(text: string, event: ScalarEvent): number {
  if (event.style === SCALAR_STYLE.LITERAL_BLOCK) return text.lastIndexOf('|', event.valueStart - 1);
  if (event.style === SCALAR_STYLE.FOLDED_BLOCK) return text.lastIndexOf('>', event.valueStart - 1);
  return startOfScalar(event);
}

/** Where a node begins, its anchor and its tag included. -1 for one that is not written. */
export function startOfNode(text: string, event: Event): number {
  if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) return -1;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  const properties = [event.anchorStart - 1, event.tagStart].filter((start) => start >= 0);
  if (properties.length > 0) return Math.min(...properties);
  return event.type === EVENT_ID.SCALAR ? startOfValue(text, event) : event.start;
}
