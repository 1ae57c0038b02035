/** The stages that record which field manager owns what a write changed. */
import { encodeJson } from '../../codec/json.js';
import type { ApiObject, Failure, JsonObject, ManagedFieldsEntry, Result } from '../../contract/index.js';
import {
  type ApplyRequest,
  type ClientSideApply,
  type TypedVersion,
  updateInSteps,
  type VersionSource,
  type WriteRequest,
} from '../../merge/index.js';
import { clone } from '../../objects/clone.js';
import { objectAt } from '../../objects/guards.js';
import { finish, inTurns, type Steps } from '../../objects/turns.js';
import type { ServedResource } from '../../resource/served-resource.js';
import { cleanConverted } from '../../resource/versions.js';
import { type CreateAttempt, type RemoteVersions, subresourceName, type UpdateAttempt, type Write } from '../write.js';

/**
 * Makes the writer the owner of the fields that it changed, or of all fields of a new object. An apply has already
 * recorded its owners, because they decide how to merge a configuration.
 */
export function recordOwners({ write, object, current, plan }: CreateAttempt | UpdateAttempt): void | Promise<void> {
  if (plan.verb === 'apply') return undefined;
  const kind = ('view' in plan && plan.view?.kind) || write.resource;
  const sent = object.metadata.managedFields;
  return amongVersions(write, () => ownersOf(write, kind, object, current, sent));
}

/**
 * Returns the steps that record the owners. A function of the module, not of a request: docs/tours.md gives the reason.
 */
function* ownersOf(
  write: Write,
  kind: ServedResource,
  object: ApiObject,
  live: ApiObject | undefined,
  sent: ManagedFieldsEntry[] | undefined,
): Steps<void> {
  object.metadata.managedFields = sent;
  object.metadata.managedFields = yield* updateInSteps(new OwnedChange(write, kind, object, live));
}

/** Records the owners of an object without stages, in place. */
export function recordOwnership(
  write: Write,
  object: ApiObject,
  live: ApiObject | undefined,
  kind = write.resource,
): void {
  finish(ownersOf(write, kind, object, live, object.metadata.managedFields));
}

/** The parts of a write that ownership depends on. */
class OwnedWrite {
  readonly plan: WriteRequest['plan'];
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource: string;
  readonly now: string;
  readonly resetFields: NonNullable<WriteRequest['resetFields']>;
  readonly versions: WriteRequest['versions'];
  readonly isCustom: boolean;

  /** `kind` is the kind of the object or view with the owned fields. */
  constructor(write: Write, kind: ServedResource) {
    const { manager, now } = write;
    const subresource = subresourceName(write);
    this.plan = kind.plan;
    this.manager = manager;
    this.apiVersion = kind.apiVersion;
    this.subresource = subresource;
    this.now = now;
    this.resetFields = kind.resetFields(subresource);
    // A Scale has no versions to convert.
    this.isCustom = kind.module.decoding === 'structural';
    this.versions = kind.stored.remote ? write.remoteVersions : kind.versions;
  }
}

/** A create, update or patch. */
class OwnedChange extends OwnedWrite implements WriteRequest {
  constructor(
    write: Write,
    kind: ServedResource,
    readonly next: ApiObject,
    readonly live: ApiObject | undefined,
  ) {
    super(write, kind);
  }
}

export class OwnedApply extends OwnedWrite implements ApplyRequest {
  readonly force: boolean;
  readonly clientSide: ClientSideApply;

  constructor(
    write: Write,
    kind: ServedResource,
    { force, clientSide }: Pick<ApplyRequest, 'force'> & { readonly clientSide: ClientSideApply },
    readonly applied: JsonObject,
    readonly live: ApiObject | undefined,
  ) {
    super(write, kind);
    this.force = force;
    this.clientSide = clientSide;
  }
}

// Field ownership if a webhook converts between versions. If a try needs unconverted objects, converts them before the
// next try.

/** Returns the versions for a write of a resource; `undefined` if no webhook converts them. */
export function remoteVersionsOf(resource: ServedResource): RemoteVersions | undefined {
  return resource.stored.remote && resource.versions ? new Conversions(resource, resource.versions) : undefined;
}

/**
 * Runs a function that may need objects in other versions. Runs it again if some were not converted yet, so it must be
 * deterministic.
 */
export function amongVersions<T>(
  { remoteVersions }: Pick<Write, 'remoteVersions'>,
  compute: () => Steps<T>,
): T | Promise<T> {
  return remoteVersions ? untilSettled(remoteVersions, compute) : inTurns(compute());
}

async function untilSettled<T>(versions: RemoteVersions, compute: () => Steps<T>): Promise<T> {
  for (;;) {
    const result = await inTurns(compute());
    if (!(await versions.settle())) return result;
  }
}

/** The failure of an object that is not yet converted. No client ever sees it. */
const unsettled: Failure = { reason: 'InternalError', message: 'the object has not been converted yet' };

class Conversions implements RemoteVersions {
  readonly #resource: ServedResource;
  readonly #versions: VersionSource;
  /** The converted objects by version and content. */
  readonly #known = new Map<string, Result<JsonObject>>();
  readonly #wanted = new Map<string, { readonly object: JsonObject; readonly to: string }>();

  constructor(resource: ServedResource, versions: VersionSource) {
    this.#resource = resource;
    this.#versions = versions;
  }

  versionOf = (apiVersion: string): TypedVersion | undefined => this.#versions.versionOf(apiVersion);

  convert = (object: JsonObject, _from: string, to: string): Result<JsonObject> => {
    const plain = withoutOwners(object);
    const key = `${to} ${encodeJson(plain)}`;
    const known = this.#known.get(key);
    if (!known) this.#wanted.set(key, { object: plain, to });
    // The caller may make the copy a part of an object that it changes.
    return known?.ok ? { ok: true, value: clone(known.value) } : (known ?? { ok: false, failure: unsettled });
  };

  async settle(): Promise<boolean> {
    if (this.#wanted.size === 0) return false;
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    const versions = new Set(wanted.map(([, { to }]) => to));
    await Promise.all(
      [...versions].map((to) =>
        this.#convertAll(
          to,
          wanted.filter(([, each]) => each.to === to),
        ),
      ),
    );
    return true;
  }

  async #convertAll(
    to: string,
    wanted: readonly (readonly [string, { readonly object: JsonObject }])[],
  ): Promise<void> {
    const { stored } = this.#resource;
    const target = to === stored.apiVersion ? stored : stored.sibling(to);
    const objects = wanted.map(([, { object }]) => object);
    const converted = await stored.remote?.convert(objects, to);
    for (const [i, [key]] of wanted.entries()) {
      if (!converted?.ok) this.#known.set(key, converted ?? { ok: false, failure: unsettled });
      else {
        const value = converted.value[i] ?? {};
        if (target) cleanConverted(target, value);
        this.#known.set(key, { ok: true, value });
      }
    }
  }
}

/** Returns an object without the entries of its owners. */
function withoutOwners(object: JsonObject): JsonObject {
  const { managedFields: _managedFields, ...metadata } = objectAt(object, 'metadata') ?? {};
  return { ...object, metadata };
}
