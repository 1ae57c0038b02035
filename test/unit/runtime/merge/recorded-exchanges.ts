/** A server of one kind without defaults, just enough to play recorded writes against. */
import type { ApiObject, Failure, JsonObject, JsonValue, ManagedFieldsEntry, Result } from '../../../../runtime/contract/index.js';
import {
  applyConfiguration,
  applyJsonPatch,
  applyMergePatch,
  decodeJsonPatch,
  keepTimesOfNoOp,
  type TypedPlan,
  updateManagedFields,
} from '../../../../runtime/merge/index.js';
import { isObject, objectAt, stringAt } from '../../../../runtime/objects/guards.js';

export interface RecordedRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonValue;
}

/** What a write came to: the object, or the failure's causes. */
export type Played =
  | { readonly status: 'stored'; readonly object: ApiObject }
  | { readonly status: 'refused'; readonly failure: Failure };

export class RecordedServer {
  private readonly objects = new Map<string, ApiObject>();
  private clock = 0;

  constructor(
    private readonly plan: TypedPlan,
    private readonly kind: { readonly apiVersion: string; readonly kind: string },
    /** Brings a merged body into the form in which the kind is stored. */
    private readonly normalize: (object: ApiObject) => ApiObject,
  ) {}

  forget(path: string): void {
    this.objects.delete(path);
  }

  /** Moves the clock on; writes between two calls happen within one second, as when they were recorded. */
  sleep(): void {
    this.clock++;
  }

  private get now(): string {
    return new Date(Date.UTC(2024, 0, 1, 0, 0, this.clock)).toISOString().replace('.000', '');
  }

  play(key: string, request: RecordedRequest, manager: string, force: boolean): Played {
    const live = this.objects.get(key);
    const result = request.headers?.['content-type']?.startsWith('application/apply-patch')
      ? this.apply(live, request.body ?? null, manager, force)
      : this.update(live, this.bodyOf(live, request), manager);
    if (!result.ok) return { status: 'refused', failure: result.failure };
    this.objects.set(key, result.value);
    return { status: 'stored', object: result.value };
  }

  private bodyOf(live: ApiObject | undefined, { headers, body = null }: RecordedRequest): JsonValue {
    const type = headers?.['content-type'] ?? 'application/json';
    if (type === 'application/json-patch+json') return this.jsonPatched(live, body);
    return type === 'application/json' ? body : applyMergePatch(live ?? {}, body);
  }

  private jsonPatched(live: ApiObject | undefined, body: JsonValue): JsonValue {
    const decoded = decodeJsonPatch(body, true);
    const patched = decoded.ok ? applyJsonPatch(live ?? {}, decoded.value.operations) : undefined;
    return patched?.ok ? patched.value : null;
  }

  private update(live: ApiObject | undefined, body: JsonValue, manager: string): Result<ApiObject> {
    if (!isObject(body)) return { ok: false, failure: { reason: 'BadRequest', message: 'not an object' } };
    const next = this.normalize(this.asObject(body));
    const { apiVersion } = this.kind;
    const write = { plan: this.plan, next, manager, apiVersion, subresource: '', now: this.now };
    const entries = updateManagedFields(live === undefined ? write : { ...write, live });
    return { ok: true, value: withEntries(next, entries) };
  }

  private apply(live: ApiObject | undefined, body: JsonValue, manager: string, force: boolean): Result<ApiObject> {
    const applied = isObject(body) ? body : {};
    const { apiVersion } = this.kind;
    const clientSide = { manager: 'kubectl', annotation: 'kubectl.kubernetes.io/last-applied-configuration' };
    const request = { plan: this.plan, applied, manager, apiVersion, subresource: '', now: this.now, force, clientSide };
    const result = applyConfiguration(live === undefined ? request : { ...request, live });
    if (!result.ok) return result;
    const next = this.normalize(result.value.object);
    const entries = next.metadata.managedFields;
    return { ok: true, value: live === undefined ? next : withEntries(next, keepTimesOfNoOp(live, next, entries)) };
  }

  private asObject(body: JsonObject): ApiObject {
    return { ...body, ...this.kind, metadata: { ...objectAt(body, 'metadata') } };
  }
}

function withEntries(object: ApiObject, entries: ManagedFieldsEntry[] | undefined): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: entries === undefined ? metadata : { ...metadata, managedFields: entries } };
}

/** Entries as recordings show them, where times are placeholders. */
export function withoutTimes(entries: JsonValue | undefined): JsonValue {
  if (!Array.isArray(entries)) return null;
  return entries.map((entry) => (isObject(entry) && entry.time !== undefined ? { ...entry, time: '<time>' } : entry));
}

/** The manager that a request names, as a query parameter or by its user agent. */
export function managerOf(request: RecordedRequest): string {
  const query = new URL(request.path ?? '', 'http://x').searchParams.get('fieldManager');
  if (query) return query;
  const agent = stringAt({ ...request.headers }, 'user-agent').split('/')[0];
  return agent || 'unknown';
}


/** A value with every uid replaced by one placeholder, as recordings number theirs. */
export function withoutUids(value: unknown): unknown {
  const uid = /<uid:\d+>|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value).replace(uid, '<uid>'));
}
