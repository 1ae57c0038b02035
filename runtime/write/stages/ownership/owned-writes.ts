/** Writes as the record of field owners sees them. */
import type { ApiObject, JsonObject } from '../../../contract/index.js';
import type { ApplyRequest, ClientSideApply, WriteRequest } from '../../../merge/index.js';
import type { ServedResource } from '../../../resource/served-resource.js';
import { subresourceName, type Write } from '../../write.js';

/** The parts of a write that ownership depends on. */
class OwnedWrite {
  readonly plan: WriteRequest['plan'];
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource: string;
  readonly now: string;
  readonly resetFields: NonNullable<WriteRequest['resetFields']>;
  readonly versions: WriteRequest['versions'];

  /** `kind` is that of the object or view whose fields are owned. */
  constructor(write: Write, kind: ServedResource) {
    const { manager, now } = write;
    const subresource = subresourceName(write);
    this.plan = kind.plan;
    this.manager = manager;
    this.apiVersion = kind.apiVersion;
    this.subresource = subresource;
    this.now = now;
    this.resetFields = kind.resetFields(subresource);
    // A Scale has no versions of its own to be converted.
    this.versions = kind.stored.remote ? write.remoteVersions : kind.versions;
  }
}

/** A create, update or patch. */
export class OwnedChange extends OwnedWrite implements WriteRequest {
  constructor(
    write: Write,
    kind: ServedResource,
    readonly next: ApiObject,
    readonly live: ApiObject | undefined,
  ) {
    super(write, kind);
  }
}

/** An apply. */
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
