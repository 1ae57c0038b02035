/** Reads and checks the options of writes: dry run, field manager, field validation, force. */
import type { FieldError, JsonObject, Result } from '../contract/index.js';
import { forbidden, notSupported, required, stringList } from '../objects/field-error.js';
import { memoize, memoizeByObject } from '../objects/memoize.js';
import { isPlainManager, isPrintable, maxManagerBytes, validateFieldManager } from '../objects/metadata-rules.js';
import { invalid } from '../objects/status.js';
import { type Query, queryOf } from '../request/query.js';
import type { VerbRequest, VerbServices } from '../request/verb-request.js';

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
