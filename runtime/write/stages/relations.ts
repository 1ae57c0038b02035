/** The stages that keep the relations of objects: named objects exist, and unique values stay unique. */
import type { ApiObject, Failure, FieldError, Key } from '../../contract/index.js';
import { duplicate, invalidValue, notFoundValue } from '../../objects/field-error.js';
import { quote } from '../../objects/printing.js';
import { conflict, invalid } from '../../objects/status.js';
import type { PipelineServices } from '../../request/verb-request.js';
import { type FoundName, type IncomingReference, relationsOf, type UniqueValues } from '../../resource/relations.js';
import { hasRelations, keyOf, objectOf, type ServedResource } from '../../resource/served-resource.js';
import { readAs, toStored } from '../../resource/versions.js';
import { parsePath } from '../../schema/index.js';
import { keyOfName, nameKey, RelationClaims, relationIndex } from '../relation-claims.js';
import type { CreateAttempt, DeleteAttempt, UpdateAttempt, Write } from '../write.js';
import { type SentFields, sentFields } from './sent-fields.js';

/** Holds an object in deletion until the controller `relations` has deleted or cleared the objects that name it. */
export const relationsFinalizer = 'kindforge.dev/relations';

type WriteAttempt = CreateAttempt | UpdateAttempt;

/** Refuses an object if its new relations do not hold, before validating admission can have side effects. */
export function checkRelations(attempt: WriteAttempt): Promise<Failure | undefined> | undefined {
  if (!hasRelations(attempt.write.resource.stored)) return undefined;
  const changes = changesOf(attempt);
  return isEmpty(changes) ? undefined : refusal(attempt, changes);
}

/**
 * Locks the values and objects that the new relations depend on, and checks the relations again. So they still hold at
 * the commit.
 */
export function claimRelations(attempt: WriteAttempt): Promise<Failure | undefined> | undefined {
  if (attempt.write.dryRun || !hasRelations(attempt.write.resource.stored)) return undefined;
  const changes = changesOf(attempt);
  return isEmpty(changes) ? undefined : claim(attempt, changes);
}

/** The new relations of an object. */
interface Changes {
  readonly names: readonly FoundName[];
  readonly values: readonly UniqueValues[];
}

const isEmpty = ({ names, values }: Changes): boolean => names.length === 0 && values.length === 0;

function changesOf({ write: { resource, services }, object, old }: WriteAttempt): Changes {
  const { stored } = resource;
  const relations = relationsOf(stored);
  const inStored = (one: ApiObject): ApiObject => (resource === stored ? one : toStored(resource, one));
  const next = inStored(object);
  const before = old && inStored(old);
  const had = new Set(
    before && [
      ...relations.namesIn(before).map((found) => keyOfName(found, services.relations)),
      ...relations.valuesIn(before).map(({ key }) => key),
    ],
  );
  return {
    names: relations.namesIn(next).filter((found) => !had.has(keyOfName(found, services.relations))),
    values: relations.valuesIn(next).filter(({ key }) => !had.has(key)),
  };
}

async function claim(attempt: WriteAttempt, changes: Changes): Promise<Failure | undefined> {
  const { write } = attempt;
  const { services, resource } = write;
  const claims = new RelationClaims(write, attempt.assignment);
  attempt.assignment = claims;
  for (const key of changes.values.map((each) => each.key).sort()) {
    const failure = await claims.holdValue(resource.stored, key);
    if (failure) return failure;
  }
  for (const found of changes.names) {
    const target = services.relations.target(found.reference);
    const broken = (): Failure | undefined =>
      stateOf(services, found) === 'live' ? undefined : invalidObject(attempt, [missingName(found, sentBy(attempt))]);
    const failure = target && (await claims.relyOn(target, namespaceIn(target, found), found.name, broken));
    if (failure) return failure;
  }
  return refusal(attempt, changes);
}

/** Returns the namespace of a named object; empty for cluster-scoped objects. */
const namespaceIn = ({ module: { scope } }: ServedResource, { namespace }: FoundName): string =>
  scope === 'Cluster' ? '' : namespace;

async function refusal(attempt: WriteAttempt, { names, values }: Changes): Promise<Failure | undefined> {
  const errors: FieldError[] = [];
  const fields = sentBy(attempt);
  for (const each of values) errors.push(...(await repeatedValue(attempt, each, fields)));
  for (const found of names) errors.push(...(await nameErrors(attempt.write, found, fields)));
  return errors.length === 0 ? undefined : invalidObject(attempt, errors);
}

const sentBy = ({ write, object }: WriteAttempt): SentFields => sentFields(write.resource, object);

function invalidObject({ write, object }: WriteAttempt, errors: readonly FieldError[]): Failure {
  const { module, stored } = write.resource;
  return invalid(stored.module.group, module.names.kind, object.metadata.name ?? '', errors);
}

/** Returns the error of a value that another object has. */
async function repeatedValue(
  { write, old }: WriteAttempt,
  { rule, key, values }: UniqueValues,
  sent: SentFields,
): Promise<readonly FieldError[]> {
  const { services, resource } = write;
  const own = old && keyOf(resource, write.namespace, write.name);
  const index = relationIndex(services.store, services.relations, resource.stored);
  const other = [...index.holdersOf(key)].find((holder) => holder !== own);
  if (other === undefined) return [];
  const [field = '', ...others] = rule.fields.map((each) => sent(keysOf(each), each));
  const error = duplicate(field, values[0]);
  const together = others.map((name, at) => `, with ${name} ${JSON.stringify(values[at + 1])}`).join('');
  const holder = await seenName(write, resource.stored, other);
  return [{ ...error, message: `${error.message}${together}${holder ? `: ${holder} has it` : ''}` }];
}

/** Returns the keys of a field outside of lists. */
const keysOf = (field: string): readonly string[] =>
  (parsePath(field) ?? []).flatMap((segment) => (segment === 'each' ? [] : [segment.key]));

// Names of other objects.

type TargetState = 'missing' | 'deleting' | 'live';

function stateOf({ relations, store }: PipelineServices, found: FoundName): TargetState {
  const key = keyOfTarget(relations.target(found.reference), found);
  const entry = key === undefined ? undefined : store.get(key);
  if (!entry) return 'missing';
  return objectOf(entry).metadata.deletionTimestamp === undefined ? 'live' : 'deleting';
}

const keyOfTarget = (target: ServedResource | undefined, found: FoundName): Key | undefined =>
  target && keyOf(target, namespaceIn(target, found), found.name);

/** Checks a name. An object in deletion counts as missing for users who may not see it. */
async function nameErrors(write: Write, found: FoundName, sent: SentFields): Promise<readonly FieldError[]> {
  const state = stateOf(write.services, found);
  if (state === 'live') return [];
  const target = write.services.relations.target(found.reference);
  const key = keyOfTarget(target, found);
  const seen = state === 'deleting' && target && key !== undefined ? await seenName(write, target, key) : undefined;
  const field = sent(found.path, found.field);
  return [seen ? invalidValue(field, found.name, `${seen} is being deleted`) : notFoundValue(field, found.name)];
}

const missingName = ({ path, field, name }: FoundName, sent: SentFields): FieldError =>
  notFoundValue(sent(path, field), name);

/** Returns how messages name an object, if the user of a write may get it. */
async function seenName(
  { user, services }: Write,
  { module: { group, names }, keyPrefix, groupResource }: ServedResource,
  key: Key,
): Promise<string | undefined> {
  const parts = key.slice(keyPrefix.length).split('/');
  const [namespace = '', name = ''] = parts.length === 1 ? ['', ...parts] : parts;
  const mayGet = await services.authorize({ user, verb: 'get', group, resource: names.plural, namespace, name });
  if (!mayGet) return undefined;
  return `${groupResource} ${quote(name)}${namespace === '' ? '' : ` in namespace ${quote(namespace)}`}`;
}

// Deletes of named objects.

/** Refuses the delete of an object that others need. Adds a finalizer if others must be deleted or cleared first. */
export function checkReferrers(attempt: DeleteAttempt): Promise<Failure | undefined> | undefined {
  const { write, old } = attempt;
  if (old.metadata.deletionTimestamp !== undefined) return undefined;
  const incoming = write.services.relations.incoming(write.resource.stored);
  return incoming.length === 0 ? undefined : holdReferrers(attempt);
}

async function holdReferrers(attempt: DeleteAttempt): Promise<Failure | undefined> {
  const { write, assignment } = attempt;
  const { services, resource, namespace, name } = write;
  if (!write.dryRun) {
    const claims = new RelationClaims(write, assignment);
    attempt.assignment = claims;
    const failure = await claims.holdDeletion(resource.stored, namespace, name);
    if (failure) return failure;
  }
  const root: Target = { stored: resource.stored, key: keyOf(resource, namespace, name) };
  const { refusing, isHeld } = await findReferrers(services, root);
  if (refusing.length > 0) return stillNamed(write, root, refusing);
  if (isHeld && !attempt.finalizers.includes(relationsFinalizer))
    attempt.finalizers = [...attempt.finalizers, relationsFinalizer];
  return undefined;
}

interface Target {
  readonly stored: ServedResource;
  readonly key: Key;
}

interface Referrer extends Target {
  readonly reference: IncomingReference['reference'];
  /** The object that the referrer names. */
  readonly target: Target;
}

/** The obstacles to a delete. `isHeld` is true if other objects must be deleted or cleared first. */
interface Referrers {
  readonly refusing: readonly Referrer[];
  readonly isHeld: boolean;
}

/** Finds the objects that prevent the delete of an object, or of an object that would be deleted with it. */
async function findReferrers(services: PipelineServices, root: Target): Promise<Referrers> {
  const deleted = new Map<Key, Target>([[root.key, root]]);
  const refusing: Referrer[] = [];
  let isHeld = false;
  for (const target of deleted.values()) {
    for (const referrer of await referrersOf(services, target)) {
      const { onDelete } = referrer.reference;
      if (onDelete === 'refuse') refusing.push(referrer);
      else if (target === root && referrer.key !== root.key) isHeld = true;
      if (onDelete === 'cascade' && !deleted.has(referrer.key)) deleted.set(referrer.key, referrer);
    }
  }
  return { refusing: refusing.filter(({ key }) => !deleted.has(key)), isHeld };
}

async function referrersOf({ store, relations }: PipelineServices, target: Target): Promise<readonly Referrer[]> {
  const { module, keyPrefix } = target.stored;
  const parts = target.key.slice(keyPrefix.length).split('/');
  const [namespace = '', name = ''] = parts.length === 1 ? ['', ...parts] : parts;
  const named = nameKey(module.group, module.names.kind, namespace, name);
  const found: Referrer[] = [];
  for (const { from, reference } of relations.incoming(target.stored)) {
    await from.ready();
    for (const key of relationIndex(store, relations, from).holdersOf(named)) {
      const entry = store.get(key);
      // Another field of the same kind may name the object instead.
      const names = entry ? relationsOf(from).namesIn(readAs(from, entry)) : [];
      if (names.some((one) => one.reference === reference && keyOfName(one, relations) === named))
        found.push({ stored: from, key, reference, target });
    }
  }
  return found;
}

/** The cure for a refused delete. */
const NEXT_STEP = 'delete what refers to it first, or let it name another object';

/** The most objects that a message names. */
const MOST_NAMED = 5;

async function stillNamed(write: Write, root: Target, referrers: readonly Referrer[]): Promise<Failure> {
  const seen: { readonly field: string; readonly message: string }[] = [];
  for (const { stored, key, reference, target } of referrers.slice(0, MOST_NAMED)) {
    const name = await seenName(write, stored, key);
    const named = target.key === root.key ? 'it' : 'an object that would be deleted with it';
    if (name) seen.push({ field: reference.field, message: `${name} refers to ${named}` });
  }
  const isAll = seen.length === referrers.length;
  const others = seen.length === 0 ? 'objects that you may not see refer to it' : 'others refer to it, too';
  const texts = [...seen.map(({ field, message }) => `${message} by ${field}`), ...(isAll ? [] : [others])];
  const causes = [...seen, ...(isAll ? [] : [{ message: others }])].map((each) => ({
    reason: 'StillReferenced' as const,
    ...each,
  }));
  const { group, names } = write.resource.module;
  const failure = conflict(group, names.plural, write.name, `${texts.join(', ')}; ${NEXT_STEP}`);
  return { ...failure, details: { ...failure.details, causes } };
}
