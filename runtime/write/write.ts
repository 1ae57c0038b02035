/** One write on its way through the stages: what it is about, who makes it, and what the stages may use. */
import type { AdmissionContext, Failure, Guard, JsonObject, Key, Subresource, UserInfo } from '../contract/index.js';
import type { VersionSource } from '../merge/index.js';
import type { PipelineServices } from '../request/services.js';
import type { UnconfirmedState } from '../request/verb-request.js';
import type { ServedResource } from '../resource/served-resource.js';

/** A stored object that has to stay as it is until the write is stored. */
export interface Precondition {
  /** Why the write cannot go on, by what memory has now. Asked again whenever the object has changed. */
  readonly broken: () => Failure | undefined;
  /** The object, at the revision that `broken` speaks of. */
  guard(): Guard;
}

/** The preconditions of a write, by the key of the object. */
export type Preconditions = Map<Key, Precondition>;

/** The versions of one write. A conversion that is not known yet fails, and is made up for by `settle`. */
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
