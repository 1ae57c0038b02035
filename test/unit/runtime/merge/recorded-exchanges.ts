/** A small server of one kind, for replaying recorded writes. */
import type {
  ApiObject,
  Failure,
  JsonObject,
  JsonValue,
  ManagedFieldsEntry,
  Result,
  Schema,
} from '../../../../runtime/contract/index.js';
import {
  applyConfiguration,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicPatch,
  compileTypedPlan,
  type Decoding,
  decodeJsonPatch,
  fieldElement,
  fieldSetOf,
  strategicSchema,
  type TypedPlan,
  type TypedVersion,
  updateManagedFields,
} from '../../../../runtime/merge/index.js';
import { isObject, objectAt, stringAt } from '../../../../runtime/objects/guards.js';
import { isUnchanged } from '../../../../runtime/write/stages/unchanged.js';

export interface RecordedRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonValue;
}

/** The outcome of a write: the object, or the failure's causes. */
export type Played =
  | { readonly status: 'stored'; readonly object: ApiObject }
  | { readonly status: 'refused'; readonly failure: Failure };

/** One version of the kind that a server serves. */
export interface RecordedVersion {
  readonly apiVersion: string;
  readonly schema: Schema;
}

export interface RecordedKind {
  readonly kind: string;
  readonly decoding: Decoding;
  /** The versions, all of the same shape: conversion changes only their names. */
  readonly versions: readonly RecordedVersion[];
  /** Whether the status is written through a subresource only. */
  readonly hasStatus: boolean;
  /** Brings a merged body into the stored form of the kind. */
  readonly normalize: (object: ApiObject) => ApiObject;
}

/** A write to replay: its path, its user and its body. */
export interface RecordedWrite {
  readonly key: string;
  readonly apiVersion: string;
  readonly subresource: string;
  readonly manager: string;
  readonly force: boolean;
  readonly request: RecordedRequest;
}

export class RecordedServer {
  private readonly objects = new Map<string, ApiObject>();
  private readonly plans = new Map<string, TypedPlan>();
  private clock = 0;

  constructor(private readonly kind: RecordedKind) {
    for (const { apiVersion, schema } of kind.versions) {
      this.plans.set(apiVersion, compileTypedPlan(schema, kind.decoding));
    }
  }

  /** Deletes an object, unless it has finalizers. */
  delete(key: string): void {
    const finalizers = this.objects.get(key)?.metadata.finalizers ?? [];
    if (finalizers.length === 0) this.objects.delete(key);
  }

  /** Advances the clock. Writes between two calls happen within one second, as when they were recorded. */
  sleep(): void {
    this.clock++;
  }

  play(write: RecordedWrite): Played {
    const stored = this.objects.get(write.key);
    const live = stored && { ...stored, apiVersion: write.apiVersion };
    const isApply = write.request.headers?.['content-type']?.startsWith('application/apply-patch');
    const body = write.request.body ?? null;
    const result = isApply ? this.apply(live, body, write) : this.update(live, this.patched(live, write), write);
    if (!result.ok) return { status: 'refused', failure: result.failure };
    this.objects.set(write.key, result.value);
    return { status: 'stored', object: result.value };
  }

  private patched(live: ApiObject | undefined, { request, apiVersion }: RecordedWrite): JsonValue {
    const { headers, body = null } = request;
    const type = headers?.['content-type'] ?? 'application/json';
    if (type === 'application/json-patch+json') return jsonPatched(live, body);
    if (type !== 'application/strategic-merge-patch+json') {
      return type === 'application/json' ? body : applyMergePatch(live ?? {}, body);
    }
    const schema = this.kind.versions.find((version) => version.apiVersion === apiVersion)?.schema ?? {};
    const patched = isObject(body) ? applyStrategicPatch(live ?? {}, body, strategicSchema(schema)) : undefined;
    return patched?.ok ? patched.value : null;
  }

  private update(live: ApiObject | undefined, body: JsonValue, write: RecordedWrite): Result<ApiObject> {
    if (!isObject(body)) return { ok: false, failure: { reason: 'BadRequest', message: 'not an object' } };
    const metadata = { ...objectAt(body, 'metadata') };
    const sent = { ...body, apiVersion: write.apiVersion, kind: this.kind.kind, metadata };
    const next = this.reset(live, this.kind.normalize(sent), write.subresource);
    const entries = updateManagedFields({ ...this.context(live, write), next });
    return { ok: true, value: withEntries(next, entries) };
  }

  private apply(live: ApiObject | undefined, body: JsonValue, write: RecordedWrite): Result<ApiObject> {
    const applied = isObject(body) ? body : {};
    const clientSide = { manager: 'kubectl', annotation: 'kubectl.kubernetes.io/last-applied-configuration' };
    const result = applyConfiguration({ ...this.context(live, write), applied, force: write.force, clientSide });
    if (!result.ok) return result;
    const next = this.reset(live, this.kind.normalize(result.value), write.subresource);
    const entries = result.value.metadata.managedFields;
    const merged = withEntries(next, entries);
    return { ok: true, value: live !== undefined && isUnchanged(merged, live) ? live : merged };
  }

  /** Returns the arguments that both ways of writing take. */
  private context(live: ApiObject | undefined, { apiVersion, subresource, manager }: RecordedWrite) {
    const version = this.versionOf(apiVersion, subresource);
    if (version === undefined) throw new Error(`no version ${apiVersion}`);
    const versions = {
      versionOf: (name: string) => this.versionOf(name, subresource),
      convert: (value: JsonObject, _from: string, to: string) =>
        ({ ok: true, value: { ...value, apiVersion: to } }) as const,
    };
    const now = new Date(Date.UTC(2024, 0, 1, 0, 0, this.clock)).toISOString().replace('.000', '');
    return { ...version, ...(live === undefined ? {} : { live }), apiVersion, subresource, manager, now, versions };
  }

  private versionOf(apiVersion: string, subresource: string): TypedVersion | undefined {
    const plan = this.plans.get(apiVersion);
    const reset = this.kind.hasStatus ? [[fieldElement(subresource === '' ? 'status' : 'spec')]] : [];
    return plan && { plan, resetFields: fieldSetOf(reset) };
  }

  /** Restores fields that the path of the write cannot change. The status of built-in kinds includes metadata. */
  private reset(live: ApiObject | undefined, next: ApiObject, subresource: string): ApiObject {
    if (!this.kind.hasStatus) return next;
    if (subresource !== '' && live !== undefined) {
      const metadata = this.kind.decoding === 'typed' ? next.metadata : live.metadata;
      return { ...live, ...('status' in next ? { status: next.status } : {}), metadata };
    }
    const { status: _, ...rest } = next;
    return { ...rest, ...this.statusOf(live), ...identityOf(next) };
  }

  private statusOf(live: ApiObject | undefined): JsonObject {
    const status = live === undefined && this.kind.decoding === 'typed' ? {} : live?.status;
    return status === undefined ? {} : { status };
  }
}

function identityOf({ apiVersion, kind, metadata }: ApiObject): ApiObject {
  return { apiVersion, kind, metadata };
}

function jsonPatched(live: ApiObject | undefined, body: JsonValue): JsonValue {
  const decoded = decodeJsonPatch(body, true);
  const patched = decoded.ok ? applyJsonPatch(live ?? {}, decoded.value.operations) : undefined;
  return patched?.ok ? patched.value : null;
}

function withEntries(object: ApiObject, entries: ManagedFieldsEntry[] | undefined): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: entries === undefined ? metadata : { ...metadata, managedFields: entries } };
}

/** Returns entries as recordings show them, with placeholders for times. */
export function withoutTimes(entries: JsonValue | undefined): JsonValue {
  if (!Array.isArray(entries)) return null;
  return entries.map((entry) => (isObject(entry) && entry.time !== undefined ? { ...entry, time: '<time>' } : entry));
}

/** Returns the manager that a request names, by query parameter or user agent. */
export function managerOf(request: RecordedRequest): string {
  const query = new URL(request.path ?? '', 'http://x').searchParams.get('fieldManager');
  if (query) return query;
  const agent = stringAt({ ...request.headers }, 'user-agent').split('/')[0];
  return agent?.slice(0, 128) || 'unknown';
}

/** Replaces every uid in a value by one placeholder, because recordings number theirs. */
export function withoutUids(value: unknown): unknown {
  const uid = /<uid:\d+>|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value).replace(uid, '<uid>'));
}
