/** Reads stored APIServices, and writes results of checks into their status. */
import {
  type ApiObjectLike,
  type ClientOptions,
  type Condition,
  createResourceClient,
  defineResource,
  isConflict,
  isNotFound,
  patchStatus,
  setCondition,
} from '../../client/index.js';
import type { ApiObject, Entry, JsonObject } from '../../runtime/contract/index.js';
import { isApiObject, objectAt, objectsAt, stringAt } from '../../runtime/objects/guards.js';
import type { OnProblem } from '../option-error.js';
import type { Finding, ServiceReference } from './availability.js';

/** The spec of an APIService. */
export interface ApiService {
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  /** The service that answers; absent if this server does. */
  readonly service: ServiceReference | undefined;
  /** PEM authorities for the certificate of the service. Default: the machine's authorities. */
  readonly ca: string | undefined;
  /** Whether to accept any certificate. */
  readonly insecure: boolean;
}

/** Reads the spec of an APIService. */
export function readApiService(object: JsonObject): ApiService {
  const spec = objectAt(object, 'spec');
  const service = objectAt(spec, 'service');
  const caBundle = stringAt(spec, 'caBundle');
  return {
    group: stringAt(spec, 'group'),
    version: stringAt(spec, 'version'),
    groupPriority: numberAt(spec, 'groupPriorityMinimum', 0),
    versionPriority: numberAt(spec, 'versionPriority', 0),
    service: service && {
      namespace: stringAt(service, 'namespace'),
      name: stringAt(service, 'name'),
      port: numberAt(service, 'port', 443),
    },
    ca: caBundle === '' ? undefined : Buffer.from(caBundle, 'base64').toString(),
    insecure: spec?.insecureSkipTLSVerify === true,
  };
}

const numberAt = (object: JsonObject | undefined, key: string, usual: number): number => {
  const value = object?.[key];
  return typeof value === 'number' ? value : usual;
};

/** Returns the condition `Available` of an APIService; its texts are empty if it has none. */
export function availableIn(object: JsonObject): Finding {
  const conditions = objectsAt(objectAt(object, 'status'), 'conditions');
  const condition = conditions.find(({ type }) => type === 'Available');
  const status = condition?.status === 'True' ? 'True' : 'False';
  return { status, reason: stringAt(condition, 'reason'), message: stringAt(condition, 'message') };
}

/** Returns the object of an entry, or `undefined` without an entry. */
export function objectIn(entry: Pick<Entry, 'bytes'> | undefined): ApiObject | undefined {
  if (!entry) return undefined;
  const { buffer, byteOffset, length } = entry.bytes;
  const object: unknown = JSON.parse(Buffer.from(buffer, byteOffset, length).toString());
  return isApiObject(object) ? object : undefined;
}

/** Writes the condition `Available` of an APIService by its name. Reports failures. */
export type WriteAvailable = (name: string, finding: Finding) => void;

interface ApiServiceObject extends ApiObjectLike {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Returns a writer of conditions, which is a client of the server. `group` is the served group of APIServices. */
export function defineStatusWriter(client: ClientOptions, group: string, onProblem: OnProblem): WriteAvailable {
  const definition = defineResource<ApiServiceObject>()({
    group,
    version: 'v1',
    plural: 'apiservices',
    kind: 'APIService',
    scope: 'Cluster',
    subresources: ['status'],
  } as const);
  const resource = createResourceClient(definition, client);
  const write: (...of: Parameters<WriteAvailable>) => Promise<void> = async (name, finding) => {
    const object = await resource.get(name);
    const conditions = setCondition(object, { type: 'Available', ...finding });
    await patchStatus(resource, object, { conditions });
  };
  return (name, finding) => {
    write(name, finding).catch((error: unknown) => {
      // The next check writes again, if the object still exists.
      if (isConflict(error) || isNotFound(error)) return;
      onProblem(`the status of the APIService ${name} could not be written`, error);
    });
  };
}
