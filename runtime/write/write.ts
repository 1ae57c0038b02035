/** One write on its way through the stages: its object, its user, its options, and what the stages may use. */
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

/** A stored object that has to stay as it is until the write is stored. */
export interface Precondition {
  /** Returns why the write cannot go on, by the objects in memory. Called after each change of the object. */
  readonly broken: () => Failure | undefined;
  /** The object, at the revision that `broken` speaks of. */
  guard(): Guard;
}

/** The preconditions of a write, by the key of the object. */
export type Preconditions = Map<Key, Precondition>;

/** The versions of one write. An unknown conversion fails; after `settle` has made it, the write tries again. */
export interface RemoteVersions extends VersionSource {
  /** Asks for what could not be converted so far; resolves to whether there was anything. */
  settle(): Promise<boolean>;
}

/** One write. `name` is empty for creates whose body says it. */
export interface Write {
  readonly resource: ServedResource;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly name: string;
  /** Whether it is one of the deletes of a collection: admission is asked about those without names. */
  readonly ofCollection?: true;
  readonly subresource: Subresource | undefined;
  readonly user: UserInfo;
  /** RFC 3339 in seconds: the time of the request, and so of all that it changes. */
  readonly now: string;
  /** The manager that comes to own the fields that change. */
  readonly manager: string;
  readonly dryRun: boolean;
  /** The options as admission plugins get them, `kind` and `apiVersion` included. */
  readonly options: JsonObject;
  readonly services: PipelineServices;
  /** Adds a Warning header to the answer; the same text is sent once. */
  readonly warn: (text: string) => void;
  /** The questions that admission plugins may ask, bound to this write. */
  readonly admission: AdmissionContext;
  /** Whether admission may have left fields in the object that its kind does not have. */
  readonly mayHoldUnknown?: boolean;
  /** Objects that have to be as they were found until this one is stored. */
  readonly preconditions: Preconditions;
  /** The resource's versions as the owners of fields see them, where a webhook converts between these. */
  readonly remoteVersions?: RemoteVersions | undefined;
  /** The state that the write is decided on, where nobody has confirmed yet that it is the latest. */
  readonly unconfirmed?: UnconfirmedState | undefined;
  /** Told that the resource is served in another way by now, so that the write may start again with that. */
  readonly superseded?: (() => void) | undefined;
}

/** Name of the subresource, empty for the object itself. */
export const subresourceName = (write: Write): string => write.subresource?.name ?? '';

/**
 * The answer of a stage: `undefined` to go on, a refusal, the outcome that the write ends with, or `lost` where another
 * writer was faster.
 */
export type StageAnswer = undefined | Failure | { readonly outcome: WriteOutcome } | 'lost';

/** One step of a write. Most answer at once; waiting for them, too, would cost more than they do. */
export type Stage<A extends Attempt> = (attempt: A) => StageAnswer | void | Promise<StageAnswer> | Promise<void>;

/** The values that a write has claimed for its object alone. */
export interface Assignment {
  /** These have to hold when the object is committed. */
  readonly guards: readonly Guard[];
  /** Whether other objects record that the named object holds these values. */
  readonly recorded: boolean;
  /** Says that the object has been committed. */
  keep(): void;
  /** Ends the claims; called once, however the write ends. Resolves when nothing is left of them. */
  release(): Promise<void> | undefined;
}

/** The assignment of an object that needs no values. */
export const nothingAssigned: Assignment = { guards: [], recorded: false, keep() {}, release: () => undefined };

/** The part that all attempts share. */
export interface Attempt {
  readonly operation: Operation;
  readonly write: Write;
  /** The object as it is to be stored; stages change it in place. */
  object: ApiObject;
  /** The object as it is stored; it is never changed. */
  readonly old: ApiObject | undefined;
  assignment: Assignment;
}

export interface CreateAttempt extends Attempt {
  readonly operation: 'CREATE';
  readonly plan: CreatePlan;
  readonly old: undefined;
  readonly current: undefined;
  /** Whether the server has made up the name. */
  generated: boolean;
}

export interface UpdateAttempt extends Attempt {
  readonly operation: 'UPDATE';
  readonly plan: UpdatePlan;
  /** The entry that the update starts from, and replaces. */
  readonly entry: Entry;
  readonly old: ApiObject;
  /** The object that the plan merges into: the stored one, a draft of it, or its view. */
  current: ApiObject;
}

export interface DeleteAttempt extends Attempt {
  readonly operation: 'DELETE';
  readonly plan: DeletePlan;
  /** The entry that the delete replaces or removes; its own once it has marked the object. */
  entry: Entry;
  readonly old: ApiObject;
  /** Whether validating admission has admitted the delete already, as a part of another request. */
  readonly admitted: boolean;
  /** Whether the object's time to end has just been set. */
  graceBegun: boolean;
  /** The finalizers that the object is left with. */
  finalizers: readonly string[];
}

/** How an object is created. */
export interface CreatePlan {
  /** The verb of the request: updates of some kinds, and applies, create the object that they do not find. */
  readonly verb: 'create' | 'update' | 'apply';
}

/** Another kind that a subresource shows the object as: clients write that, and admission sees it. */
export interface View {
  readonly kind: ServedResource;
  readonly of: (object: ApiObject) => Result<ApiObject>;
  /** Returns why a client may not write the view of an object. */
  readonly refuse: (object: ApiObject, view: ApiObject) => Failure | undefined;
  /** Brings a view that was changed, and its owners, back into the object, in place. */
  readonly into: (object: ApiObject, view: ApiObject) => Failure | undefined;
}

/** Changes the stored object. */
export interface UpdatePlan {
  readonly verb: 'update' | 'patch' | 'apply';
  /**
   * Yields the object to store, or its view, decoded, pruned and defaulted; an apply records its owners too. It leaves
   * the current one as it is and shares nothing with it but entries of managedFields; `draftOf` makes a copy to begin
   * with. Called again when another writer was faster.
   */
  readonly merge: (current: ApiObject) => Steps<Result<ApiObject>>;
  readonly view?: View;
  /** Makes the object where there is none yet; absent where an update cannot create. */
  readonly create?: () => Promise<Result<WriteOutcome>>;
  /** The uid that a replacement says the object has; empty where it says none. */
  readonly uid: string;
  /** Whether the client named the revision it means, so that a lost race is its conflict to solve. */
  readonly pinned: boolean;
  /** How often to start again after a lost race when the client named no revision. */
  readonly attempts: number;
}

/** The options of a delete, checked. */
export interface DeletePlan {
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string };
  /** How dependents are treated; as the kind has it where absent. */
  readonly propagation?: 'Orphan' | 'Foreground' | 'Background';
  /** For how long the object may go on; the kind's own time where absent. */
  readonly gracePeriodSeconds?: number;
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Checked options of a create, update or patch. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** The manager that the changed fields will belong to. */
  readonly manager: string;
  readonly fieldValidation: FieldValidation;
  /** Whether an apply takes over fields of others. */
  readonly force: boolean;
  /** As admission plugins get them. */
  readonly object: JsonObject;
}

export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'ApplyOptions';

const fieldValidations: readonly FieldValidation[] = ['Ignore', 'Strict', 'Warn'];

/** The options in the query of a write; the manager is known only once the user agent is. */
type QueryOptions = Omit<WriteOptions, 'manager'> & { readonly fieldManager: string };

/** Reads the options of a write from its query. */
export function readWriteOptions(verb: VerbRequest, kind: OptionsKind): Result<WriteOptions> {
  const read = optionsByQuery(verb.services)[kind](verb.request.search);
  if (!read.ok) return read;
  const { dryRun, fieldManager, fieldValidation, force, object } = read.value;
  const manager = fieldManager === '' ? managerOf(verb) : fieldManager;
  return { ok: true, value: { dryRun, manager, fieldValidation, force, object } };
}

/** Options by query text: clients send few different queries, and short ones. */
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

/** Returns the values of `dryRun` in a query. An empty one, as in `?dryRun`, does not ask for a dry run. */
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

/** The manager of a client that names none: the first part of its user agent. */
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
