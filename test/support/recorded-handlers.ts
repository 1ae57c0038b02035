/**
 * Plays recorded exchanges against the hooks of a strategy alone, without a server: each write goes through the hooks
 * in their order, and what they find wrong is held against the recorded answer.
 */
import { readFileSync } from 'node:fs';
import type {
  ApiObject,
  FieldError,
  JsonObject,
  JsonValue,
  KindHandlers,
  UserInfo,
} from '../../runtime/contract/index.js';
import { mergeObject } from '../../runtime/merge/patch/merge-patch.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { isObject } from '../../runtime/objects/guards.js';
import { contextOf } from './handlers-suite.js';
import { shared } from './shared.js';

interface Answer {
  readonly status?: number;
  readonly body?: JsonObject;
}

interface Step {
  readonly as?: string;
  readonly pick?: readonly string[];
  readonly ignoreBody?: boolean;
  readonly request?: {
    readonly method: string;
    readonly path: string;
    readonly headers?: { readonly [name: string]: string };
    readonly body?: JsonValue;
  };
  readonly response?: Answer;
}

interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** How a kind is played. */
export interface Player {
  readonly handlers: KindHandlers;
  /** As in `certificatesigningrequests`. */
  readonly plural: string;
  /** Fields in which the strategy is to find errors; others, and what is missing, are the definition's business. */
  readonly finds: RegExp;
  /** Whether it is to find what is missing, too. */
  readonly findsMissing?: boolean;
  /** Parts of an answer that the strategy decides, as top-level fields. */
  readonly decides: readonly string[];
}

/** The outcome of one exchange: what was expected of the strategy, and what it did. */
export interface Played {
  readonly step: string;
  readonly expected: JsonValue;
  readonly found: JsonValue;
}

/** The recorded scenarios of an area whose name begins with a text. */
export function scenarios(area: string, beginning: string): readonly Scenario[] {
  const all: readonly Scenario[] = JSON.parse(readFileSync(shared('conformance', 'suites', `${area}.json`), 'utf8'));
  return all.filter(({ name }) => name.startsWith(beginning));
}

const users: ReadonlyMap<string, UserInfo> = new Map([
  ['admin', { name: 'admin', uid: '1', groups: ['system:masters', 'system:authenticated'], extra: {} }],
  ['bob', { name: 'bob', uid: '3', groups: ['system:authenticated'], extra: {} }],
]);

const now = '2024-05-06T07:08:09Z';

/** Plays a scenario. Exchanges that never reach the hooks (401, 404, 409 …) are passed over. */
export function play({ steps }: Scenario, player: Player): readonly Played[] {
  const stored = new Map<string, ApiObject>();
  const played: Played[] = [];
  for (const [i, step] of steps.entries()) {
    const { request, response } = step;
    const path = new RegExp(`/${player.plural}(?:/([^/?]+)(?:/([a-z]+))?)?(?:\\?(.*))?$`).exec(request?.path ?? '');
    if (!request || !path || !['POST', 'PUT', 'PATCH', 'DELETE'].includes(request.method)) continue;
    const [, rawName = '', subresource = '', query = ''] = path;
    const write = { ...request, name: decodeURIComponent(rawName), subresource, query, user: userOf(step) };
    const status = response?.status ?? (request.method === 'POST' ? 201 : 200);
    if (status !== 422 && status >= 300) continue;
    const result = runHooks(player.handlers, write, stored);
    if (!result) continue;
    if (result.errors.length === 0 && !query.includes('dryRun=All')) keep(result.object, request.method, stored);
    if (response) played.push({ step: `#${i}`, ...compare(player, step, response, result) });
  }
  return played;
}

function userOf({ as = 'admin', request }: Step): UserInfo {
  const headers = request?.headers ?? {};
  const user = users.get(as) ?? { name: as, uid: '', groups: ['system:authenticated'], extra: {} };
  const name = headers['impersonate-user'];
  if (name === undefined) return user;
  const scope = headers['impersonate-extra-scope'];
  return {
    name,
    uid: headers['impersonate-uid'] ?? '',
    groups: [headers['impersonate-group'] ?? [], 'system:authenticated'].flat(),
    extra: scope === undefined ? {} : { scope: [scope] },
  };
}

interface Write {
  readonly method: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: JsonValue;
  readonly name: string;
  readonly subresource: string;
  readonly user: UserInfo;
}

interface Result {
  readonly object: ApiObject;
  readonly errors: readonly FieldError[];
}

function runHooks(handlers: KindHandlers, write: Write, stored: ReadonlyMap<string, ApiObject>): Result | undefined {
  const context = contextOf({ user: write.user, subresource: write.subresource, now });
  const old = stored.get(write.name);
  if (write.method === 'POST') {
    const object = objectOf(write.body);
    handlers.canonicalize?.(object);
    handlers.prepareForCreate?.(object, context);
    return { object, errors: [...nameErrors(handlers, object), ...(handlers.validate?.(object, context) ?? [])] };
  }
  if (!old) return undefined;
  if (write.method === 'DELETE') return deleteObject(handlers, structuredClone(old), context);
  const object = changed(write, structuredClone(old));
  if (!object) return undefined;
  handlers.canonicalize?.(object);
  handlers.prepareForUpdate?.(object, old, context);
  const errors = [
    ...(handlers.validate?.(object, context) ?? []),
    ...(handlers.validateUpdate?.(object, old, context) ?? []),
  ];
  return { object, errors };
}

function nameErrors({ validateName }: KindHandlers, { metadata }: ApiObject): FieldError[] {
  const name = metadata.name ?? '';
  if (!validateName || name === '') return [];
  return validateName(name).map((problem) => invalidValue('metadata.name', name, problem));
}

function deleteObject(handlers: KindHandlers, object: ApiObject, context: ReturnType<typeof contextOf>): Result {
  handlers.prepareForDelete?.(object, context);
  const removed = handlers.mayRemove?.(object) ?? true;
  if (!removed) object.metadata.deletionTimestamp ??= now;
  return { object: removed ? { ...object, kind: '' } : object, errors: [] };
}

/** The object that a replace or merge patch asks for; other patches are not played. */
function changed({ method, headers, body }: Write, old: ApiObject): ApiObject | undefined {
  if (method === 'PUT') {
    const object = objectOf(body);
    return { ...object, metadata: { ...old.metadata, ...object.metadata, labels: object.metadata.labels } };
  }
  const isMerge = headers?.['content-type'] === 'application/merge-patch+json';
  return isMerge && isObject(body) ? objectOf(mergeObject(old, body)) : undefined;
}

/** A body as the decoder leaves it: nulls and empty lists dropped, times in UTC. */
function objectOf(body: JsonValue | undefined): ApiObject {
  const read = decoded(body);
  return { apiVersion: '', kind: '', metadata: {}, ...(isObject(read) ? read : {}) };
}

function decoded(value: JsonValue | undefined): JsonValue | undefined {
  if (value === null || (Array.isArray(value) && value.length === 0)) return undefined;
  if (Array.isArray(value)) return value.map((item) => decoded(item) ?? null);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, decoded(member)]));
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:]{8}[+-]\d\d:\d\d$/.test(value);
  return isTime ? new Date(value).toISOString().replace('.000', '') : value;
}

function keep(object: ApiObject, method: string, stored: Map<string, ApiObject>): void {
  const name = object.metadata.name ?? '';
  if (method === 'DELETE' && object.kind === '') stored.delete(name);
  else stored.set(name, structuredClone(object));
}

function compare(player: Player, step: Step, response: Answer, { object, errors }: Result): Omit<Played, 'step'> {
  const isOwn = ({ field = '', reason }: Cause): boolean =>
    player.finds.test(field) && (player.findsMissing === true || reason !== 'FieldValueRequired');
  const found = errors.filter(({ field, reason }) => isOwn({ field, reason }));
  if (response.status === 422) {
    const expected = causesOf(response.body ?? {}).filter(isOwn);
    return { expected: [...expected], found: found.map((error, i) => asRecorded(error, expected[i] ?? {})) };
  }
  const gone = response.body?.kind === 'Status' || step.ignoreBody;
  if (found.length > 0 || gone) return { expected: [], found: found.map(({ field }) => field) };
  const fields = step.pick ? step.pick.filter((path) => decided(player, path)) : player.decides;
  const read = (from: JsonObject): JsonObject =>
    Object.fromEntries(fields.map((path) => [path, dig(from, path.split('.')) ?? null]));
  const expected = step.pick ? pickOf(response.body, fields) : read(response.body ?? {});
  return { expected, found: placeholders(read(object)) };
}

const decided = (player: Player, path: string): boolean =>
  player.decides.some((field) => path === field || path.startsWith(`${field}.`));

const pickOf = (body: JsonObject | undefined, paths: readonly string[]): JsonObject =>
  Object.fromEntries(paths.map((path) => [path, body?.[path] ?? null]));

/** The recorded parts of one cause; parts that were not picked are absent. */
interface Cause extends JsonObject {
  reason?: string;
  field?: string;
  message?: string;
}

const isCause = (value: unknown): value is Cause => isObject(value);

/** Causes of a Status, whether the whole of them was recorded or picked parts. */
function causesOf(body: JsonObject): readonly Cause[] {
  const whole = isObject(body.details) ? body.details.causes : body['details.causes'];
  if (Array.isArray(whole)) return whole.filter(isCause);
  const causes: Cause[] = [];
  for (const [path, value] of Object.entries(body)) {
    const [, index, part] = /^details\.causes\.(\d+)(?:\.(\w+))?$/.exec(path) ?? [];
    if (index === undefined || value === null) continue;
    causes[Number(index)] = part ? { ...causes[Number(index)], [part]: value } : isCause(value) ? value : {};
  }
  return causes;
}

/**
 * An error with the parts that were recorded of it. Messages that quote what Go says of broken DER, JSON or signatures
 * are taken as they are.
 */
function asRecorded({ reason, field, message }: FieldError, expected: Cause): JsonObject {
  const foreign = /x509|asn1|invalid character|verification/.test(expected.message ?? '');
  const whole: JsonObject = { reason, field, message: foreign ? expected.message : message };
  const parts = Object.keys(expected);
  return parts.length === 0 ? whole : Object.fromEntries(parts.map((part) => [part, whole[part]]));
}

function dig(value: JsonValue | undefined, [key, ...rest]: readonly string[]): JsonValue | undefined {
  if (key === undefined) return value;
  if (Array.isArray(value)) return dig(value[Number(key)], rest);
  if (!isObject(value)) return undefined;
  // A key may hold dots itself.
  for (let n = rest.length; n > 0; n--) {
    const whole = [key, ...rest.slice(0, n)].join('.');
    if (Object.hasOwn(value, whole)) return dig(value[whole], rest.slice(n));
  }
  return dig(value[key], rest);
}

/** Times that the hooks filled in, as the recordings write them; absent members left out. */
function placeholders(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value).replaceAll(now, '<time>'));
}
