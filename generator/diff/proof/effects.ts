/** Finds the effects of a changed definition on one object: compares the answers of both definitions. */
import type { JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { equal } from '../../../runtime/objects/equality.js';
import { getOwn, isArray, isObject } from '../../../runtime/objects/guards.js';
import type { Witness } from '../difference.js';
import type { Answer, Definition } from './definition.js';

/** The definitions before and after. */
export interface Pair {
  readonly old: Definition;
  readonly new: Definition;
}

/** One object to try: created, or written over another one. */
export interface Trial {
  readonly object: JsonObject;
  /** The stored object to write over; absent for a create. */
  readonly before?: JsonObject;
  /** The subresource that the update goes to. */
  readonly through?: 'status';
}

/** The effects that objects of the old definition can show. */
export type ShownEffect = 'writers' | 'stored';

/** The outcome of a trial; `counted` is true if the old definition accepted all of it. */
export interface Shown {
  readonly counted: boolean;
  readonly witnesses: Partial<Record<ShownEffect, Witness>>;
}

const NOTHING: Shown = { counted: false, witnesses: {} };

/** Returns whether a definition accepts all of a trial's object. */
export function isAccepted(definition: Definition, trial: Trial): boolean {
  const before = trial.before === undefined ? undefined : stored(definition, trial.before);
  if (trial.before !== undefined && before === undefined) return false;
  const answer = answerOf(definition, trial, before);
  return answer.accepted && answer.pruned.length === 0;
}

/**
 * Tries an object on both definitions. An object that the old definition refuses, or knows only in part, shows nothing.
 */
export function tryOn({ old, new: later }: Pair, trial: Trial): Shown {
  const before = trial.before === undefined ? undefined : stored(old, trial.before);
  if (trial.before !== undefined && before === undefined) return NOTHING;
  const answer = answerOf(old, trial, before);
  if (!answer.accepted || answer.pruned.length > 0) return NOTHING;
  const found: Shown['witnesses'] = {};
  const writers = writersWitness({ old, new: later }, trial, before, answer);
  if (writers !== undefined) found.writers = writers;
  const kept = storedWitness({ old, new: later }, answer.object);
  if (kept !== undefined) found.stored = kept;
  return { counted: true, witnesses: found };
}

/** Returns an object as it is stored. A status is stored by a separate update. */
function stored(definition: Definition, object: JsonObject): JsonObject | undefined {
  const created = definition.create(object);
  if (!created.accepted || created.pruned.length > 0) return undefined;
  const updated = definition.update(created.object, object, 'status');
  return updated.accepted ? updated.object : undefined;
}

function answerOf(definition: Definition, { object, through }: Trial, before: JsonObject | undefined): Answer {
  return before === undefined ? definition.create(object) : definition.update(before, object, through);
}

function writersWitness(
  { old, new: later }: Pair,
  trial: Trial,
  before: JsonObject | undefined,
  answer: Answer & { readonly accepted: true },
): Witness | undefined {
  const start = before === undefined ? undefined : later.read(before);
  if (start?.undecodable !== undefined) return undefined;
  const other = answerOf(later, trial, start?.object);
  if (other.accepted && isSame(old.known(other.object), old.known(answer.object))) return undefined;
  return { effect: 'writers', ...sent(trial, before), old: plain(answer), new: plain(other) };
}

/**
 * Returns whether an answer is the same as before. Ignores a null that is now kept and was dropped before: its writer
 * wanted it.
 */
function isSame(later: JsonValue, before: JsonValue): boolean {
  if (isArray(later) && isArray(before))
    return later.length === before.length && later.every((item, at) => isSame(item, before[at] ?? null));
  if (!isObject(later) || !isObject(before)) return equal(later, before);
  const names = new Set([...Object.keys(later), ...Object.keys(before)]);
  return [...names].every((name) => {
    const [one, other] = [getOwn(later, name), getOwn(before, name)];
    if (other === undefined) return one === null;
    return one !== undefined && isSame(one, other);
  });
}

/** Returns the request of a trial for a witness. */
const sent = ({ object, through }: Trial, before: JsonObject | undefined): Omit<Witness, 'effect' | 'old' | 'new'> => ({
  ...(before === undefined ? {} : { before }),
  object,
  ...(through === undefined ? {} : { subresource: through }),
});

/**
 * Returns a witness of an object that is stored under the old definition, and then read, or changed in an unrelated
 * way.
 */
function storedWitness({ old, new: later }: Pair, object: JsonObject): Witness | undefined {
  const reading = later.read(object);
  const change = withLabel(object);
  const answer = old.update(object, change);
  if (!answer.accepted) return undefined;
  const witness = (other: Answer): Witness => ({
    effect: 'stored',
    before: object,
    object: change,
    old: plain(answer),
    new: plain(other),
  });
  if (reading.undecodable !== undefined)
    return witness({ accepted: false, causes: [reading.undecodable], pruned: reading.pruned });
  const other = later.update(reading.object, withLabel(reading.object));
  const isKept = reading.pruned.length === 0;
  return other.accepted && isKept ? undefined : witness(other);
}

/** Adds a label to an object: an update that does not change its fields. */
export function withLabel(object: JsonObject): JsonObject {
  const metadata = isObject(object.metadata) ? object.metadata : {};
  return { ...clone(object), metadata: { ...clone(metadata), labels: { changed: 'yes' } } };
}

/** Returns an answer without the parts that only the search needs. */
function plain(answer: Answer): Witness['old'] {
  if (answer.accepted) return { accepted: true, object: answer.object };
  return { accepted: false, causes: answer.causes };
}

/**
 * Returns a witness of an object that the new definition stores, and that readers of the old definition do not expect:
 * the old definition refuses it, or fills in missing fields.
 */
export function newlySeenOn({ old, new: later }: Pair, trial: Trial): Witness | undefined {
  const before = trial.before === undefined ? undefined : stored(later, trial.before);
  if (trial.before !== undefined && before === undefined) return undefined;
  const answer = answerOf(later, trial, before);
  if (!answer.accepted || answer.pruned.length > 0) return undefined;
  const seen = old.known(answer.object);
  const start = before === undefined ? undefined : old.read(before);
  if (start?.undecodable !== undefined) return undefined;
  const other = answerOf(old, { ...trial, object: seen }, start?.object);
  if (other.accepted && equal(old.known(other.object), seen)) return undefined;
  return { effect: 'readers', ...sent(trial, before), old: plain(other), new: plain(answer) };
}
