/** The types of a write: its object, its user, its options, its attempts, and what its stages may use. */
import type {
  AdmissionContext,
  ApiObject,
  Entry,
  Failure,
  FieldError,
  Guard,
  JsonObject,
  Key,
  Operation,
  Result,
  Subresource,
  UserInfo,
} from '../contract/index.js';
import type { VersionSource } from '../merge/index.js';
import { forbidden, notSupported, required, stringList } from '../objects/field-error.js';
import { memoize, memoizeByObject } from '../objects/memoize.js';
import { isPlainManager, isPrintable, maxManagerBytes, validateFieldManager } from '../objects/names/metadata-rules.js';
import { invalid } from '../objects/status.js';
import type { Steps } from '../objects/turns.js';
import { type Query, queryOf } from '../request/api-request.js';
import type { WriteOutcome } from '../request/responses.js';
import type { PipelineServices, UnconfirmedState, VerbRequest, VerbServices } from '../request/verb-request.js';
import type { ServedResource } from '../resource/served-resource.js';

/** A stored object that must not change before the write commits. */
export interface Precondition {
  /** Returns why the write cannot continue, by the objects in memory. Called after each change of the object. */
  readonly broken: () => Failure | undefined;
  /** Returns the object's key, and the revision that `broken` has checked. */
  guard(): Guard;
}

/** The preconditions of a write, by the key of the object. */
export type Preconditions = Map<Key, Precondition>;

/** The versions of one write. An unknown conversion fails; after `settle` has made it, the write tries again. */
export interface RemoteVersions extends VersionSource {
  /** Asks for the missing conversions; resolves to false if none are missing. */
  settle(): Promise<boolean>;
}

/** One write. `name` is empty for a create if the name is in the body. */
export interface Write {
  readonly resource: ServedResource;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
  /** Whether it is one of the deletes of a collection. Admission sees these without names. */
  readonly ofCollection?: true;
  readonly subresource: Subresource | undefined;
  readonly user: UserInfo;
  /** The time of the request and of all its changes, as RFC 3339 in seconds. */
  readonly now: string;
  /** The manager that becomes the owner of changed fields. */
  readonly manager: string;
  readonly dryRun: boolean;
  /** The options as admission plugins get them, `kind` and `apiVersion` included. */
  readonly options: JsonObject;
  readonly services: PipelineServices;
  /** Adds a Warning header to the answer; sends the same text once. */
  readonly warn: (text: string) => void;
  /** The questions that admission plugins may ask, bound to this write. */
  readonly admission: AdmissionContext;
  /** Whether admission may have added fields that the kind does not have. */
  readonly mayHoldUnknown?: boolean;
  /** Objects that must not change before this one is stored. */
  readonly preconditions: Preconditions;
  /** The resource's versions for field ownership, if a webhook converts between them. */
  readonly remoteVersions?: RemoteVersions | undefined;
  /** The state that the write is based on, if it is not yet confirmed to be the latest. */
  readonly unconfirmed?: UnconfirmedState | undefined;
  /**
   * Called if the resource has been redefined in the meantime, so that the write may start again with the new
   * definition.
   */
  readonly superseded?: (() => void) | undefined;
}

/** Returns the name of the subresource; empty for the object itself. */
export const subresourceName = (write: Write): string => write.subresource?.name ?? '';

/**
 * The answer of a stage: `undefined` to continue, a refusal, the outcome that ends the write, or `lost` if another
 * writer was faster.
 */
export type StageAnswer = undefined | Failure | { readonly outcome: WriteOutcome } | 'lost';

/**
 * One step of a write. Most stages answer at once, without a promise, because an `await` would cost more than they do.
 */
export type Stage<A extends Attempt> = (attempt: A) => StageAnswer | void | Promise<StageAnswer> | Promise<void>;

/** The unique values that a write has claimed for its object. */
export interface Assignment {
  /** The guards that must hold when the object is committed. */
  readonly guards: readonly Guard[];
  /** Whether other objects record that the object holds these values. */
  readonly recorded: boolean;
  /** Keeps the values, because the object is committed. */
  keep(): void;
  /** Ends the claims. Called once at the end of every write. Resolves when all locks and unused records are gone. */
  release(): Promise<void> | undefined;
}

/** The assignment of an object that needs no values. */
export const nothingAssigned: Assignment = { guards: [], recorded: false, keep() {}, release: () => undefined };

/** The common part of all attempts. */
export interface Attempt {
  readonly operation: Operation;
  readonly write: Write;
  /** The object to store; stages change it in place. */
  object: ApiObject;
  /** The stored object; it never changes. */
  readonly old: ApiObject | undefined;
  assignment: Assignment;
}

export interface CreateAttempt extends Attempt {
  readonly operation: 'CREATE';
  readonly plan: CreatePlan;
  readonly old: undefined;
  readonly current: undefined;
  /** Whether the server has generated the name. */
  generated: boolean;
}

export interface UpdateAttempt extends Attempt {
  readonly operation: 'UPDATE';
  readonly plan: UpdatePlan;
  /** The entry that the update starts from and replaces. */
  readonly entry: Entry;
  readonly old: ApiObject;
  /** The object that the plan merges into: the stored one, a draft of it, or its view. */
  current: ApiObject;
}

export interface DeleteAttempt extends Attempt {
  readonly operation: 'DELETE';
  readonly plan: DeletePlan;
  /** The entry that the delete replaces or removes. After the delete has marked the object, it is the marked entry. */
  entry: Entry;
  readonly old: ApiObject;
  /** Whether validating admission has admitted the delete already, as a part of another request. */
  readonly admitted: boolean;
  /** Whether this delete has set the time at which the object ends. */
  graceBegun: boolean;
  /** The finalizers that the object is left with. */
  finalizers: readonly string[];
}

/** How an object is created. */
export interface CreatePlan {
  /** The verb of the request. Updates of some kinds, and applies, create an object that does not exist. */
  readonly verb: 'create' | 'update' | 'apply';
}

/** Another kind, in which a subresource shows the object. Clients write this kind, and admission sees it. */
export interface View {
  readonly kind: ServedResource;
  readonly of: (object: ApiObject) => Result<ApiObject>;
  /** Returns why a client may not write the view of an object. */
  readonly refuse: (object: ApiObject, view: ApiObject) => Failure | undefined;
  /** Writes a changed view and its owners back into the object, in place. */
  readonly into: (object: ApiObject, view: ApiObject) => Failure | undefined;
}

/** How an update changes the stored object. */
export interface UpdatePlan {
  readonly verb: 'update' | 'patch' | 'apply';
  /**
   * Makes the object to store, or its view, decoded, pruned and defaulted. An apply records its owners too. It must not
   * change the current object, and may only share entries of managedFields with it; `draftOf` copies it. Called again
   * if another writer was faster.
   */
  readonly merge: (current: ApiObject) => Steps<Result<ApiObject>>;
  readonly view?: View;
  /** Creates the object if there is none; absent if the update cannot create. */
  readonly create?: () => Promise<Result<WriteOutcome>>;
  /** The uid in a replacement; empty if it has none. */
  readonly uid: string;
  /** Whether the client named a revision. Then a lost race is a conflict that the client must solve. */
  readonly pinned: boolean;
  /** The most attempts, if the client named no revision. */
  readonly attempts: number;
}

/** The checked options of a delete. */
export interface DeletePlan {
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string };
  /** The fate of dependents; absent for the kind's default. */
  readonly propagation?: 'Orphan' | 'Foreground' | 'Background';
  /** How long the object may continue; absent for the kind's default. */
  readonly gracePeriodSeconds?: number;
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The checked options of a create, update or patch. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** The manager that will own the changed fields. */
  readonly manager: string;
  readonly fieldValidation: FieldValidation;
  /** Whether an apply takes fields over from other managers. */
  readonly force: boolean;
  /** The options as admission plugins get them. */
  readonly object: JsonObject;
}

export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'ApplyOptions';

const fieldValidations: readonly FieldValidation[] = ['Ignore', 'Strict', 'Warn'];

/** The options in the query of a write. Without a field manager in it, the user agent names the manager. */
type QueryOptions = Omit<WriteOptions, 'manager'> & { readonly fieldManager: string };

/** Reads the options of a write from its query. */
export function readWriteOptions(verb: VerbRequest, kind: OptionsKind): Result<WriteOptions> {
  const read = optionsByQuery(verb.services)[kind](verb.request.search);
  if (!read.ok) return read;
  const { dryRun, fieldManager, fieldValidation, force, object } = read.value;
  const manager = fieldManager === '' ? managerOf(verb) : fieldManager;
  return { ok: true, value: { dryRun, manager, fieldValidation, force, object } };
}

/** Options by query text, because clients send few different queries, all short. */
const optionsByQuery = memoizeByObject((services: VerbServices) => {
  const readerOf = (kind: OptionsKind) =>
    memoize((search) => checkQueryOptions(queryOf(search), services, kind), { most: 128, longest: 256 });
  return {
    ApplyOptions: readerOf('ApplyOptions'),
    CreateOptions: readerOf('CreateOptions'),
    PatchOptions: readerOf('PatchOptions'),
    UpdateOptions: readerOf('UpdateOptions'),
  };
});

function checkQueryOptions(query: Query, services: VerbServices, kind: OptionsKind): Result<QueryOptions> {
  const dryRun = dryRunOf(query);
  const fieldManager = query.text('fieldManager');
  const fieldValidation = query.text('fieldValidation');
  const force = query.boolean('force');
  const errors = [
    ...forceErrors(kind, force, fieldManager),
    ...validateFieldManager(fieldManager, 'fieldManager'),
    ...dryRunErrors(dryRun),
    ...fieldValidationErrors(fieldValidation),
  ];
  const optionsKind = kind === 'ApplyOptions' ? 'PatchOptions' : kind;
  if (errors.length > 0) return { ok: false, failure: invalid(services.metaGroup, optionsKind, '', errors) };
  const object: JsonObject = { kind: optionsKind, apiVersion: `${services.metaGroup}/v1` };
  if (dryRun.length > 0) object.dryRun = [...dryRun];
  if (fieldManager !== '') object.fieldManager = fieldManager;
  if (fieldValidation !== '') object.fieldValidation = fieldValidation;
  if (force !== undefined) object.force = force;
  return {
    ok: true,
    value: {
      dryRun: dryRun.length > 0,
      fieldManager,
      fieldValidation: fieldValidations.find((level) => level === fieldValidation) ?? 'Warn',
      force: force ?? false,
      object: Object.freeze(object),
    },
  };
}

/** Returns the values of `dryRun` in a query. An empty value, as in `?dryRun`, does not ask for a dry run. */
export const dryRunOf = (query: Query): string[] => query.all('dryRun').filter((value) => value !== '');

/** Checks `dryRun` values; shared with deletes. */
export function dryRunErrors(values: readonly string[]): FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  return [notSupported('dryRun', stringList(values), ['All'])];
}

function forceErrors(kind: OptionsKind, force: boolean | undefined, manager: string): FieldError[] {
  if (kind === 'ApplyOptions') return manager === '' ? [required('fieldManager', 'is required for apply patch')] : [];
  if (kind === 'PatchOptions' && force !== undefined)
    return [forbidden('force', 'may not be specified for non-apply patch')];
  return [];
}

function fieldValidationErrors(value: string): FieldError[] {
  if (value === '' || fieldValidations.some((known) => known === value)) return [];
  return [notSupported('fieldValidation', value, ['', ...fieldValidations])];
}

/** Returns the manager of a client that names none: the first part of its user agent. */
function managerOf({ request }: VerbRequest): string {
  const agent = request.headers['user-agent'];
  const [prefix = ''] = (typeof agent === 'string' ? agent : '').split('/');
  if (prefix !== '' && isPlainManager(prefix)) return prefix;
  let manager = '';
  for (const character of prefix) {
    if (Buffer.byteLength(manager + character) > maxManagerBytes) break;
    if (isPrintable(character)) manager += character;
  }
  return manager === '' ? 'unknown' : manager;
}
